"""What all the tests share."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# A machine may be busy, and a failure in CI must be the same again at home.
settings.register_profile("trainer", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("trainer")

# For all that runs outside a test: fixtures of a session, the server of the browser tests.
os.environ["SIXTY_SIX_DATA"] = tempfile.mkdtemp(prefix="sixty-six-tests-")
atexit.register(shutil.rmtree, os.environ["SIXTY_SIX_DATA"], ignore_errors=True)


@pytest.fixture(autouse=True)
def own_record(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the learner's record: no test touches the real one, nor that of another."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("SIXTY_SIX_DATA", str(folder))
    return folder
