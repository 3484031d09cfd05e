"""The errors of ranks that wait, for observers and for cases."""

WAITS = "Waits: "
"""Begins the error of ranks that wait for each other; their lines follow, as a list by rank."""


def is_out_of_step(error: str) -> bool:
    """Whether the first error of two ranks means that one was not where the other expected it."""
    return any(words in error for words in ("Waits", "by peer", "a rank "))
