"""Observe `where_new`: steps in, devices out, as strings or not."""

from exercise_kit.observers import OneCall

from ..described import named


class WhereNew(OneCall):
    """Facts: those of OneCall, with every device in the result as a string."""

    def observe(self, answer, inputs):
        facts = super().observe(answer, inputs)
        return {**facts, "result": named(facts["result"])}
