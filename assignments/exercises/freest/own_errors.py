"""Errors of a wrong line in an answer."""

OWN_ERRORS = (
    "NameError",
    "UnboundLocalError",
    "AttributeError",
    "TypeError",
    "ImportError",
    "ModuleNotFoundError",
)
"""No command raises them, so no answer needs to catch them."""
