"""Printed outputs as a screen shows them: in one piece, progress bars when they are done, tables as
they are."""

import re

from docutils import nodes
from sphinx.application import Sphinx

OVERWRITTEN = re.compile(r"[^\n]*\r(?=[^\n])")


def tidy(app: Sphinx, document: nodes.document) -> None:
    for block in list(document.findall(is_printed)):
        join(block)
    for block in list(document.findall(is_printed)):
        text = OVERWRITTEN.sub("", block.astext().replace("\r\n", "\n"))
        if not text.strip():
            block.parent.remove(block)
            continue
        block.rawsource, block[:] = text, [nodes.Text(text)]
        if "---" in text:
            block["classes"].append("table")  # whose lines are not to be wrapped


def join(block: nodes.literal_block) -> None:
    """Put a piece of what was printed to the one before it, wherever the stream was cut.

    MyST-NB's own nb_merge_streams ends a line after each piece.
    """
    place = block.parent.index(block)
    before = block.parent[place - 1]
    if place and is_printed(before) and before["classes"] == block["classes"]:
        before[:] = [nodes.Text(before.astext() + block.astext())]
        block.parent.remove(block)


def is_printed(node: nodes.Node) -> bool:
    return isinstance(node, nodes.literal_block) and "output" in node["classes"]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", tidy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
