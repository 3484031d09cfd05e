"""Sentences of the course, with `code` between backticks; and as HTML, escaped."""

import html
import re

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def inline(text: str) -> str:
    """Escape for HTML; `backticks` become code."""
    return _CODE.sub(lambda found: _element(found[2]), html.escape(text, quote=False))


def code(text: str) -> str:
    """`text` between backticks, more of them than it has in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text != text.strip("` ") else ""  # as in Markdown: it belongs to the fence
    return f"{fence}{space}{text}{space}{fence}"


def _element(held: str) -> str:
    padded = len(held) > 2 and held[0] == held[-1] == " "
    return f"<code>{held[1:-1] if padded else held}</code>"
