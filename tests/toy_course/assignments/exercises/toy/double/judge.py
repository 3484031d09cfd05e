"""Judge `double`: the oracle doubles."""

import random
from collections.abc import Sequence

from course_utils.checking.contract import Case, Raises
from course_utils.checking.oracle import OracleJudge, Rival


class Double(OracleJudge):
    form, types = "a number", ("int", "float")
    rivals = (Rival("squared", lambda x: x * x),)
    raises = (Raises("text", "TypeError"),)

    def oracle(self, x: int) -> int:
        return 2 * x

    def cases(self, rng: random.Random) -> Sequence[Case]:
        large = self.telling(lambda: {"x": rng.randrange(10_000, 99_999)}, "squared")
        return [
            Case("three, as in the task", {"x": 3}),
            Case("zero", {"x": 0}),
            Case("a large number", large),
        ]


judge = Double()
