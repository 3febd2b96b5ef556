"""What all the tests share."""

import os

from hypothesis import settings

# A machine may be busy, and a failure in CI must be the same again at home.
settings.register_profile("trainer", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("trainer")
