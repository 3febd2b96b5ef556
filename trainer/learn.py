"""Show the learner's lessons in JupyterLab, on this machine and for this machine only.

The server is an ordinary JupyterLab with these decisions made for it:

* It listens on 127.0.0.1 and wants a token, a new random one at every start.
* The one kernel on offer is the Python that runs this, so `import trainer` works in every lesson,
  whatever other kernels the learner has.
* It fetches nothing: no news, no look for updates, no list of extensions.
* It reads no Jupyter configuration but ours (`lab_settings/`). A broken setting of the learner's or
  the machine's cannot break a lesson, and a token that is switched off there is still asked for
  here. What the learner sets inside the lessons, such as a dark theme, is kept in a place of our
  own and is there the next time.
* Lessons as we ship them are trusted, so their pictures are seen before anything is run.
"""

import os
import secrets
import shutil
import signal
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from types import FrameType
from urllib.parse import quote

from trainer.lessons import KEPT_IN, LessonError, copy_lessons, installed_lessons

HOST = "127.0.0.1"
DEFAULT_PORT = 8888
LAB_SETTINGS = Path(__file__).parent / "lab_settings"


def default_folder() -> Path:
    """Return the folder for the lessons when the learner names none, in the user's documents."""
    import platformdirs

    return platformdirs.user_documents_path() / "Sixty-Six lessons"


def learn(folder: Path, port: int, open_browser: bool, say: Callable[[str], None]) -> None:
    """Copy the lessons into `folder` and show them until the learner stops the server.

    `say` gets each line meant for the learner. Raises LessonError when that cannot be done.
    """
    from trainer.search.backend import prepare

    prepare()
    source = installed_lessons()
    folder = folder.expanduser().absolute()
    for line in copy_lessons(source, folder):
        say(line)
    state = _state_folder()
    _isolate_jupyter(state, folder)
    _trust(source, state)
    free = free_port(port)
    if port not in (0, free):
        say(f"Port {port} is taken; using {free}.")
    _serve(folder, _start_page(source, folder), free, open_browser, say)


def free_port(first: int, tries: int = 100) -> int:
    """Return the first port from `first` on that is free on this machine; any free one for 0."""
    for port in range(first, min(first + tries, 65536)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
            if os.name == "posix":  # elsewhere this option would allow a port that is in use
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind((HOST, port))
            except PermissionError as error:
                raise LessonError(f"port {port} may not be used here; try --port 8888") from error
            except OSError:
                continue
            found: int = trial.getsockname()[1]
            return found
    raise LessonError(f"no port from {first} on is free; try another --port")


def _state_folder() -> Path:
    """Return the folder, made if need be, of what Jupyter keeps between two starts."""
    import platformdirs

    state = platformdirs.user_data_path("sixty-six-trainer", appauthor=False) / "jupyter"
    try:
        for name in ("data", "ipython", "settings"):
            (state / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LessonError(f"cannot make the folder {state}: {error.strerror}") from error
    return state


def _isolate_jupyter(state: Path, folder: Path) -> None:
    """Point Jupyter, in this process and in its kernels, away from all configuration but ours."""
    for name in [name for name in os.environ if name.startswith(("JUPYTER_", "JUPYTERLAB_"))]:
        del os.environ[name]
    os.environ |= {
        "JUPYTER_NO_CONFIG": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_DATA_DIR": str(state / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(state / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / KEPT_IN / "workspaces"),
        "IPYTHONDIR": str(state / "ipython"),
    }


def _trust(source: Path, state: Path) -> None:
    """Sign the notebooks as shipped; Jupyter shows the stored pictures only of signed ones."""
    import nbformat
    from nbformat.sign import NotebookNotary

    notary = NotebookNotary(data_dir=str(state / "data"))
    with closing(notary.store):
        for path in sorted(source.rglob("*.ipynb")):
            notary.sign(nbformat.read(path, as_version=4))


def _start_page(source: Path, folder: Path) -> str:
    """Return the path of the page to open: the index of the course, later what was left open."""
    first = min((path.name for path in source.glob("*.ipynb")), default=None)
    if first is None or any((folder / KEPT_IN / "workspaces").glob("*")):
        return "/lab"
    return f"/lab/tree/{quote(first)}"


def _serve(
    folder: Path, page: str, port: int, open_browser: bool, say: Callable[[str], None]
) -> None:
    """Run JupyterLab on `folder` until it is told to stop, by a signal or from its own menu."""
    import zmq
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_core.paths import jupyter_config_dir
    from jupyter_server.serverapp import ServerApp
    from traitlets.config import Config

    class OwnKernel(KernelSpecManager):
        """Knows no installed kernel, which leaves the native one: this very Python."""

        def _kernel_dirs_default(self) -> list[str]:
            return []

    style = Path(jupyter_config_dir()) / "custom"
    style.mkdir(parents=True, exist_ok=True)
    shutil.copy(LAB_SETTINGS / "custom.css", style)
    token = secrets.token_urlsafe(32)
    config = Config(
        ServerApp={
            "ip": HOST,
            "port": port,
            "port_retries": 0,
            "root_dir": str(folder),
            "open_browser": open_browser,
            "kernel_spec_manager_class": OwnKernel,
            "allow_root": True,  # as in a container; the token is asked for all the same
            "log_level": "ERROR",
            "log_format": "%(message)s",
        },
        IdentityProvider={"token": token},
        KernelManager={"transport_encryption": "auto" if zmq.has("curve") else "disabled"},
        LabApp={
            "default_url": page,
            "app_settings_dir": str(LAB_SETTINGS),
            "custom_css": True,
            "extension_manager": "readonly",
            "news_url": None,
            "check_for_updates_class": "jupyterlab.handlers.announcements.NeverCheckForUpdate",
            "log_level": "ERROR",
        },
    )
    server = ServerApp.instance(config=config, jpserver_extensions={"jupyterlab": True})
    server.initialize(argv=[], starter_extension="lab", find_extensions=False)
    # The page that carries the token into the browser lies with the lessons, since browsers that
    # are installed as snaps cannot read hidden folders of the home directory or /tmp.
    server.browser_open_file = str(folder / KEPT_IN / "open.html")
    with suppress(OSError):  # some file systems have no permissions to set
        (folder / KEPT_IN).chmod(0o700)

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.default_int_handler)  # the second time it is at once
        say("Stopping ...")
        server.stop(from_signal=True)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)

    def announce() -> None:
        say(f"Your lessons are in {folder}")
        say(
            "They open in your browser; if not, open this address:"
            if open_browser
            else "Open this address in your browser:"
        )
        say(f"  http://{HOST}:{server.port}{server.default_url}?token={token}")
        say("To stop, press Ctrl-C here.")

    server.io_loop.add_callback(announce)  # in line behind the server's own start to listen
    try:
        server.start()
    finally:
        shutil.rmtree(jupyter_config_dir(), ignore_errors=True)
    say(f"Stopped. Your work is kept in {folder}")
