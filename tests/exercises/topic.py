"""What the tests of every topic's oracles begin with."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from course_utils.authoring.corpus import known_answers, load_answer
from course_utils.checking.beside import Beside
from course_utils.checking.contract import Case
from course_utils.checking.engine import examine
from course_utils.checking.exercises import exercise
from course_utils.checking.outcomes import outcome_name
from course_utils.checking.reference import reference


@dataclass(frozen=True)
class Topic:
    """The exercises of one topic, by their short names."""

    name: str
    seeds: int = 10

    def judge(self, short: str) -> Any:
        """The module judge.py of an exercise."""
        return exercise(f"{self.name}.{short}").module("judge")

    def cases(self, short: str, seeds: int | None = None) -> list[Case]:
        """The cases of an exercise in several draws."""
        judge = exercise(f"{self.name}.{short}").judge
        draws = range(self.seeds if seeds is None else seeds)
        return [case for seed in draws for case in judge.cases(random.Random(seed))]

    def reference(self, short: str) -> Any:
        """The function of an exercise's own solution."""
        source = reference(exercise(f"{self.name}.{short}").path)
        return load_answer(source, short, f"<{short}>")

    def outcomes_in_other_draws(self, short: str) -> Iterator[tuple[str, str, str]]:
        """Of each known wrong answer, five times: where it is, what it meets, and what it should.

        The name of an exercise is the seed of its public cases, so that another name draws others.
        """
        parts = exercise(f"{self.name}.{short}")
        for answer in known_answers(parts.path, "wrong"):
            function = load_answer(answer.source, short, str(answer.path))
            beside = Beside(parts.observer, function)
            for draw in range(5):
                report = examine(f"draw {draw}", parts.judge, beside)
                yield f"{answer.path}: {report}", outcome_name(report.outcome), answer.expected
