"""Observe `rank`: the list that comes back, and `free` afterwards."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy

from course_utils.checking.contract import Facts
from course_utils.checking.one_call import OneCall


class Rank(OneCall):
    """An array that comes back is as good as a list."""

    def prepare(self, data: Mapping[str, Any]) -> list[Any]:
        numbers = numpy.uint64 if data["numpy"] else int
        return [[numbers(amount) if isinstance(amount, int) else amount for amount in data["free"]]]

    def observe(self, answer: Callable[..., Any], inputs: list[Any]) -> Facts:
        def plain(free: Any) -> Any:
            result = answer(free)
            return result.tolist() if isinstance(result, numpy.ndarray) else result

        return super().observe(plain, inputs)


observer = Rank("free")
