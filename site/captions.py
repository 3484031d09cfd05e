"""Captions of the table of contents as headings with a level for screen readers."""

from typing import Any

from sphinx.application import Sphinx

Context = dict[str, Any]


def add_level(app: Sphinx, page: str, template: str, context: Context, document: Any) -> None:
    contents = context["furo_navigation_tree"]
    context["furo_navigation_tree"] = contents.replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", add_level, priority=900)  # after the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
