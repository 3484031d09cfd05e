"""Printed outputs as on a screen: joined, progress bars in their final state, tables unwrapped."""

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
            block["classes"].append("table")  # its lines are not wrapped


def join(block: nodes.literal_block) -> None:
    """Join a piece of printed output with the one before it.

    MyST-NB's own nb_merge_streams adds a line end after each piece.
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
