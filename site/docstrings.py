"""This course's docstrings as reStructuredText: `name: text` is a parameter."""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from sphinx.application import Sphinx

HEADS = {"Args:": "param", "Raises:": "raises"}
ITEM = re.compile(r"(\w+): (.+)")


def rewrite(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    if what in ("class", "function", "method"):
        lines[:] = fields(lines, parameters(thing))


def parameters(thing: Any) -> Iterable[str]:
    try:
        return inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return ()


def fields(lines: list[str], known: Iterable[str]) -> Iterator[str]:
    """The lines as reStructuredText: blank lines around field lists, `::` before code blocks."""
    head, listing, coding, blank = None, False, False, False
    for line in lines:
        if line in HEADS:
            head = line
            continue
        if head:
            line = line.removeprefix("    ")
        item = ITEM.fullmatch(line)
        if item and (head == "Raises:" or item[1] in known):
            if not listing:
                yield ""
            line = f":{HEADS[head] if head else 'param'} {item[1]}: {item[2]}"
            listing = True
        elif line and not line.startswith(" "):
            if listing:
                yield ""
            listing = coding = False
        elif line and blank and not listing and not coding:
            yield from ("::", "")
            coding = True
        yield line
        blank = not line


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", rewrite)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
