"""Short texts, wherever an answer may have written them."""

import re


def clip(text: str, most: int = 600) -> str:
    """A text of at most `most` characters: beginning and end, "…" where something is left out."""
    if len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]} … {text[-half:]}"


def code(text: str) -> str:
    """`text` between backticks, more of them than it has in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text != text.strip("` ") else ""  # as in Markdown: it belongs to the fence
    return f"{fence}{space}{text}{space}{fence}"
