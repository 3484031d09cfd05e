"""Sentences of the course as HTML: escaped, with `code` between backticks."""

import html
import re


def inline(text: str) -> str:
    """Escape for HTML; `backticks` become code."""
    return re.sub(r"(`+)(.+?)\1(?!`)", r"<code>\2</code>", html.escape(text, quote=False))
