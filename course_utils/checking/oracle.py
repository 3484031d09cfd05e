"""The judge of the common case: the result must equal the reference result, the oracle's."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple

from exercise_kit.comparison import same
from exercise_kit.contract import Case, Facts, Finding, Judge
from exercise_kit.facts import brief, describe

# Exceptions of a wrong model in a case for which it was not written.
_NO_ANSWER = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class WrongModel(NamedTuple):
    """A wrong way to compute the result, and the finding that it stands for.

    model: called like the oracle; an ordinary exception means that it has no result for a case.
    """

    finding: str
    model: Callable[..., Any]


class OracleJudge(Judge):
    """Compares with `oracle`. The first rival with the same wrong result gives the finding.

    The facts are those of `exercise_kit.observers.OneCall`.
    """

    form: ClassVar[str]
    """The type of a right result, in words after "expected:" ("a number of ms")."""

    types: ClassVar[tuple[str, ...]]
    """The described types of this form ("int", "float"); any other type is "other-form"."""

    rivals: ClassVar[Sequence[WrongModel]] = ()
    """Wrong models; if a result fits several of them, the first one gives the finding."""

    otherwise: ClassVar[str] = "other-result"
    """The finding for a wrong result that no rival explains."""

    @abstractmethod
    def oracle(self, *_: Any, **data: Any) -> Any:  # so that any parameters override it
        """The reference result for the data of a case."""

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding of a case, or None if the answer is right."""
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
        """The finding of `seen`, a described wrong result."""
        return next(
            (name for name, thought in self._thoughts(data) if same(seen, thought)), self.otherwise
        )

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        """A result as the text that a learner reads."""
        return brief(described)

    def telling(self, draw: Callable[[], dict[str, Any]], *findings: str) -> dict[str, Any]:
        """Data, drawn until they tell the rivals of all `findings` from a right answer.

        They do if a rival's result is wrong, and `explain` returns its own finding. Raises
        ValueError if a thousand draws are not enough, or if a finding has no rival.
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
        """The described result of each rival for the data of a case, if it has one."""
        for finding, model in self.rivals:
            with suppress(*_NO_ANSWER):
                yield finding, describe(model(**data))
