"""The error index: each message on the page of errors becomes an entry for the search."""

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

PAGE = "lessons/errors"


def add_entries(app: Sphinx, document: nodes.document) -> None:
    """Add the first block of each entry, its message, to the index."""
    if app.env.current_document.docname != PAGE:
        return
    for section in list(document.findall(nodes.section)):
        if message := next(filter(is_message, section.children), None):
            lines = [line.strip("… ") for line in message.astext().splitlines()]
            entries = [
                ("single", line.replace(";", ","), section["ids"][0], "main", None)
                for line in filter(None, lines)
            ]
            section.insert(1, addnodes.index(entries=entries))


def is_message(node: nodes.Node) -> bool:
    return isinstance(node, nodes.literal_block) and node.get("language") == "text"


def add_filter(app: Sphinx, page: str, template: str, context: Any, document: Any) -> None:
    if page == PAGE:
        app.add_js_file("filter.js", defer="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", add_entries)
    app.connect("html-page-context", add_filter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
