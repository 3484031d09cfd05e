"""Sphinx's settings. stage.py prepares Sphinx's input, so run `make site`."""

import sys
from pathlib import Path

from course_utils.manifest import load_manifest

SITE = Path(__file__).resolve().parent
sys.path.insert(0, str(SITE))  # for the extensions in this folder

course = load_manifest()

project = html_title = course.title
version = release = course.version
language = course.language
author = "The authors of On the Right Device"
copyright = f"{author}. Code: BSD 3-Clause; prose and figures: CC BY 4.0"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "captions",
    "docstrings",
    "messages",
    "outputs",
    "printing",
]
exclude_patterns = ["START_HERE.md", "project/**", "**/.ipynb_checkpoints"]
nitpicky = True
nitpick_ignore_regex = [  # other projects' manuals are not read: the build needs no network
    ("py:.*", r"(torch|typing|collections|pathlib|contextlib|os|types|numpy|matplotlib|PIL)\..*"),
    ("py:.*", r"(course_utils|lesson_parts)\..*"),  # names that lessons do not import: no entry
    ("py:exc", r"\w+"),
]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

# A lesson runs as for a learner: in its workspace, in a new kernel. Every error stops the build.
nb_execution_mode = "cache"
nb_execution_excludepatterns = ["assignments/*/*"]
nb_execution_in_temp = False
nb_execution_timeout = 300
nb_execution_raise_on_error = True
suppress_warnings = ["mystnb.unknown_mime_type"]  # a form has HTML and text next to its own type

default_role = "code"  # in docstrings, code is between single backticks
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_static_path = [str(SITE / "static")]
html_css_files = ["site.css"]
html_js_files = [("reach.js", {"defer": "defer"})]
html_theme_options = {
    "navigation_with_keys": False,
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    "dark_css_variables": {"color-brand-primary": "#8ab8f0", "color-brand-content": "#8ab8f0"},
}
html_show_sourcelink = False
html_copy_source = False
html_use_index = True
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
copybutton_selector = "div.highlight-python pre, div.highlight-ipython3 pre, div.highlight-sh pre"
