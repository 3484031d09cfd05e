"""The findings of exceptions in exercises that build the name of a device."""

from exercise_kit import Raises

NAMING = (
    Raises("number-and-text", "TypeError", 'can only concatenate str (not "int")'),
    Raises("number-and-text", "TypeError", "unsupported operand type(s) for +: 'int' and 'str'"),
    Raises("no-name-of-a-device", "RuntimeError", "nvalid device string"),
    Raises("no-name-of-a-device", "RuntimeError", "Expected one of cpu"),
)
"""Their texts are in words.md of this folder."""
