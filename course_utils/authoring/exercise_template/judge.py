"""Judge `NAME`: TODO what the oracle computes."""

import random
from collections.abc import Sequence

from course_utils.checking.contract import Case
from course_utils.checking.oracle import OracleJudge, Rival


class Oracle(OracleJudge):
    form, types = "a number", ("int", "float")
    rivals = (Rival("todo-squared", lambda x: x * x),)

    def oracle(self, x: int) -> int:
        return 2 * x

    def cases(self, rng: random.Random) -> Sequence[Case]:
        return [
            Case("the task's example", {"x": 3}),
            Case("TODO: a situation, in words", self.telling(
                lambda: {"x": rng.randint(-99, 99)}, "todo-squared")),
        ]


judge = Oracle()
