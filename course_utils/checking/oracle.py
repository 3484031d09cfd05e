"""The judge of the common case: what came back must equal what an oracle says."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple

from exercise_kit.comparison import same
from exercise_kit.contract import Case, Facts, Finding, Judge
from exercise_kit.facts import brief, describe

# What a wrong model meets where the case is none that it was thought for.
_NO_ANSWER = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class WrongModel(NamedTuple):
    """A wrong model, and the finding that it stands for.

    model: called like the oracle; an ordinary exception means that it has no answer to a case.
    """

    finding: str
    model: Callable[..., Any]


class OracleJudge(Judge):
    """Compares with `oracle`, and explains what is wrong by the first rival that gives the same.

    The facts are those of `exercise_kit.observers.OneCall`.
    """

    form: ClassVar[str]
    """What the answer must return, in words after "expected:" ("a number of ms")."""

    types: ClassVar[tuple[str, ...]]
    """The described types that have this form ("int", "float"); others are "other-form"."""

    rivals: ClassVar[Sequence[WrongModel]] = ()
    """In the order in which a result that fits several of them is explained."""

    otherwise: ClassVar[str] = "other-result"
    """The finding for a wrong result that no rival explains."""

    @abstractmethod
    def oracle(self, *_: Any, **data: Any) -> Any:  # so that any parameters override it
        """What a right answer returns for the data of a case."""

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding of a case, by the oracle; None where the answer is right."""
        seen, expected = facts["result"], describe(self.oracle(**case.data))
        shown = self.shown(seen, case.data), self.shown(expected, case.data)
        if facts["changed"]:
            return Finding(
                "input-changed", f"{facts['changed'][0]} changed by the call", "the same as before"
            )
        if same(seen, expected):
            return None
        if seen["type"] == "NoneType" and "NoneType" not in self.types:
            return Finding("nothing-returned", "None", shown[1])
        if seen["type"] not in self.types:
            return Finding("other-form", brief(seen), self.form)
        return Finding(self.explain(seen, case.data), *shown)

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        """The finding under which `seen`, a described wrong result, would be right."""
        return next(
            (name for name, thought in self._thoughts(data) if same(seen, thought)), self.otherwise
        )

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        """A result as the learner reads it."""
        return brief(described)

    def telling(self, draw: Callable[[], dict[str, Any]], *findings: str) -> dict[str, Any]:
        """Draw data until a rival of each of `findings` gives itself away.

        It does if its result is wrong and is explained by its own finding. Raises ValueError if a
        thousand draws do not bring this about, or no rival stands for a finding.
        """
        unknown = set(findings) - {finding for finding, _ in self.rivals}
        if unknown:
            raise ValueError(f"no rival stands for {', '.join(sorted(unknown))}.")
        for _ in range(1000):
            data = draw()
            right = describe(self.oracle(**data))
            given_away = {
                self.explain(thought, data)
                for _, thought in self._thoughts(data)
                if not same(thought, right)
            }
            if given_away.issuperset(findings):
                return data
        raise ValueError(f"no draw tells {', '.join(findings)} apart: loosen it, or name fewer.")

    def _thoughts(self, data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """What each rival gives for the data of a case, described, if it gives anything."""
        for finding, model in self.rivals:
            with suppress(*_NO_ANSWER):
                yield finding, describe(model(**data))
