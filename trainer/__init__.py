"""A trainer for Sixty-Six and its relatives: rules, search, grading, and lessons in notebooks."""

__version__ = "0.1.0"
