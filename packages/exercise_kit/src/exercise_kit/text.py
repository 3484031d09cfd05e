"""Helpers for short texts, which an answer may have written."""

import re


def clip(text: str, most: int = 600) -> str:
    """`text` in at most `most` characters: a long text becomes beginning, "…" and end."""
    if len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]} … {text[-half:]}"


def code(text: str) -> str:
    """`text` as Markdown code: between more backticks than it contains in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text != text.strip("` ") else ""  # in Markdown this space is part of the fence
    return f"{fence}{space}{text}{space}{fence}"
