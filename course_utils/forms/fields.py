"""The fields of a form: their appearance, and the answers that they accept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course_utils.errors import CourseError

Answer = str | int | float
Answers = Mapping[str, Answer]


@dataclass(frozen=True)
class RadioButtons:
    """Radio buttons. Without a label they answer the form's own question."""

    name: str
    label: str
    choices: tuple[str, ...]
    value: str | None = None

    def checked(self, answer: object) -> str:
        """`answer`, if the field accepts it. Raises CourseError otherwise, like all fields.

        Code may be typed without its backticks.
        """
        shown = {choice.replace("`", ""): choice for choice in self.choices}
        if (choice := shown.get(str(answer).replace("`", ""))) is None:
            raise CourseError(
                f"{self.name}={answer!r} is not one of the choices: {list(self.choices)}."
            )
        return choice

    def description(self) -> dict[str, Any]:
        """The field for JupyterLab's drawing, as JSON."""
        return {"type": "choice", "choices": list(self.choices)}


@dataclass(frozen=True)
class TextField:
    """One line of text; with `rows`, a box of several lines."""

    name: str
    label: str
    value: str = ""
    rows: int = 1

    @property
    def limit(self) -> int:
        """The largest number of characters."""
        return 200 * self.rows

    def checked(self, answer: object) -> str:
        """The answer, if it is a text that fits. Raises CourseError otherwise."""
        if not isinstance(answer, str) or len(answer) > self.limit:
            raise CourseError(f"{self.name} accepts a text of {self.limit} characters at most.")
        if self.rows == 1 and len(answer.splitlines()) > 1:
            raise CourseError(f"{self.name} accepts one line of text.")
        return answer

    def description(self) -> dict[str, Any]:
        """The field for JupyterLab's drawing, as JSON, too."""
        return {"type": "entry", "rows": self.rows, "limit": self.limit}


@dataclass(frozen=True)
class Slider:
    """A number from `lowest` to `highest`, in steps. The default of `value` is `lowest`."""

    name: str
    label: str
    lowest: int | float
    highest: int | float
    step: int | float = 1
    value: int | float | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        if self.value is None:
            object.__setattr__(self, "value", self.lowest)

    def checked(self, answer: object) -> int | float:
        """The number, if it is in the slider's range. Raises CourseError otherwise."""
        if (
            not isinstance(answer, int | float)
            or isinstance(answer, bool)
            or not self.lowest <= answer <= self.highest
        ):
            raise CourseError(
                f"{self.name}={answer!r} is out of range. Give a number from {self.lowest} "
                f"to {self.highest}."
            )
        whole = all(isinstance(part, int) for part in (self.lowest, self.highest, self.step))
        if whole and answer != int(answer):
            raise CourseError(f"{self.name}={answer!r} is not a whole number. Give one.")
        return int(answer) if whole else float(answer)

    def description(self) -> dict[str, Any]:
        """The slider for JupyterLab's drawing, as JSON."""
        return {
            "type": "slider",
            "lowest": self.lowest,
            "highest": self.highest,
            "step": self.step,
            "unit": self.unit,
        }


Field = RadioButtons | TextField | Slider
