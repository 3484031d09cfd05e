"""Observe `plan_env`: the dict that comes back, and the two dicts afterwards."""

from collections.abc import Callable, Mapping
from typing import Any

from exercise_kit.contract import Facts
from exercise_kit.observers import OneCall


class PlanEnv(OneCall):
    """Adds `same`: whether the dict that was passed in came back itself."""

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        free = data["free"]  # pairs of UUID and MiB
        return [
            dict(data["env"]),
            None if free is None else dict(free),
            data["count"],
            data["least"],
        ]

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        kept: list[Any] = []

        def keep(*arguments: Any) -> Any:
            kept.append(answer(*arguments))
            return kept[0]

        facts = super().observe(keep, inputs)
        return {**facts, "same": kept[0] is inputs[0]}


observer = PlanEnv("env", "free", "count", "least")
