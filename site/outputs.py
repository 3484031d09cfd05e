"""Printed outputs as a screen shows them: progress bars when they are done, tables as they are."""

import re

from docutils import nodes
from sphinx.application import Sphinx

OVERWRITTEN = re.compile(r"[^\n]*\r(?=[^\n])")


def tidy(app: Sphinx, document: nodes.document) -> None:
    for block in document.findall(nodes.literal_block):
        if "output" in block["classes"]:
            block.rawsource = OVERWRITTEN.sub("", block.astext().replace("\r\n", "\n"))
            block[:] = [nodes.Text(block.rawsource)]
            if "---" in block.rawsource:
                block["classes"].append("table")  # whose lines are not to be wrapped


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", tidy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
