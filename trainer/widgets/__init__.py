"""The card table in the notebook, its static picture, and what waits for an answer."""
