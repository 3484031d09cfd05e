"""What exceptions mean where the name of a device was to be written."""

from exercise_kit import Raises

NAMING = (
    Raises("number-and-text", "TypeError", 'can only concatenate str (not "int")'),
    Raises("number-and-text", "TypeError", "unsupported operand type(s) for +: 'int' and 'str'"),
    Raises("no-name-of-a-device", "RuntimeError", "nvalid device string"),
    Raises("no-name-of-a-device", "RuntimeError", "Expected one of cpu"),
)
"""Their words are those of any exercise: words.md."""
