"""Settings of the book. `make book` builds it; build.py puts its sources together first."""

import sys

from docutils.nodes import Element
from sphinx.application import Sphinx

from trainer import __version__

project = "Sixty-Six Trainer"
author = "The Sixty-Six Trainer authors"
release = version = __version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["_static"]

# Pages and lessons are Markdown; headings have the anchors that GitHub gives them.
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "off"
nb_merge_streams = True
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
nb_ipywidgets_js = {}

# The reference: names of this program must be there, those of others are not looked up.
nitpick_ignore_regex = [(r"py:.*", r"(?!trainer\b).*")]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 60
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_persistent": [],
    "home_page_in_toc": False,
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "use_download_button": False,
    "use_fullscreen_button": False,
}


def _readable_default(
    app: Sphinx,
    what: str,
    name: str,
    told: object,
    options: object,
    signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:
    """Write the default of a field that is made anew for each object as ``...``."""
    return (signature and signature.replace("<factory>", "...")), returned


def _not_told(app: Sphinx, env: object, node: Element, content: Element) -> Element | None:
    """Leave a name of the program without a link if it is there and the reference has no more."""
    module, _, name = node.get("reftarget", "").rpartition(".")
    return content if hasattr(sys.modules.get(module), name) else None


def setup(app: Sphinx) -> None:
    """Let Sphinx call what is defined here."""
    app.connect("missing-reference", _not_told)
    app.connect("autodoc-process-signature", _readable_default)
