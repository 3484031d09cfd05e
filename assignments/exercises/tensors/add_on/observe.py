"""Observe `add_on`: the sum, what was copied for it, and both operands afterwards."""

from ..observing import Addition

observer = Addition("a", "b", "where")
