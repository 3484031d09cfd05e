"""Sentences with `code` between backticks, as HTML, escaped."""

from markdown_it import MarkdownIt

_CODE_ALONE = MarkdownIt("zero").enable("backticks")


def inline(text: str) -> str:
    """`text` as HTML, escaped; text between backticks becomes code."""
    return _CODE_ALONE.renderInline(text)
