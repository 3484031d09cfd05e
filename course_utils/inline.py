"""Sentences with `code` between backticks, as HTML, escaped."""

import html
import re

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def inline(text: str) -> str:
    """Escape for HTML; `backticks` become code."""
    return _CODE.sub(lambda found: _element(found[2]), html.escape(text, quote=False))


def _element(held: str) -> str:
    padded = len(held) > 2 and held[0] == held[-1] == " "
    return f"<code>{held[1:-1] if padded else held}</code>"
