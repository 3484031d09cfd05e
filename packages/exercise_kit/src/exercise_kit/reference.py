"""The exercises' own answers, in answer.py of their folders."""

import re
from pathlib import Path

from exercise_kit.errors import ExerciseError

TRY = "# %% try\n"
"""The line in answer.py between the stub and the lines for trying it."""

_SOLUTION = re.compile(
    r"^(?P<indent>[ \t]*)### BEGIN SOLUTION.*?### END SOLUTION[^\n]*(\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_BELOW = re.compile(
    r"(?P<solution>^(?P<indent>[ \t]+)### BEGIN SOLUTION.*?### END SOLUTION[ \t]*\n)"
    r"(?P<program>((?P=indent)[^\n]*\n|[ \t]*\n)*)",
    re.MULTILINE | re.DOTALL,
)  # the code below a solution, in the same function
_REGION = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*(\n|\Z)", re.MULTILINE)


def has_reference(folder: Path) -> bool:
    """Whether the solution of the exercise in `folder` is on this computer."""
    return _file(folder).is_file()


def reference(folder: Path) -> str:
    """The source of the author's answer for the exercise in `folder`.

    Raises ExerciseError if it is not on this computer, as in a release for a class.
    """
    if not has_reference(folder):
        raise ExerciseError(
            f"The solution of {folder.name} is not on this computer. Ask your instructor."
        )
    return _REGION.sub("", _BELOW.sub(r"\g<solution>", _text(folder))).strip()


def stub(folder: Path) -> str:
    """The learner's starting text, with `raise NotImplementedError()` instead of the solution."""
    return _SOLUTION.sub(r"\g<indent>raise NotImplementedError()\n", _text(folder)).strip()


def to_be_fixed(folder: Path) -> str:
    """The broken program of an exercise, from below its solution; "" if there is none."""
    below = _BELOW.search(_text(folder))
    if below is None or not below["program"].strip():
        return ""
    return _BELOW.sub(r"\g<program>", _text(folder)).strip() + "\n"


def emptied(source: str) -> str:
    """A source with `raise NotImplementedError()` between the markers of each solution."""
    region = r"\g<indent>### BEGIN SOLUTION\n\g<indent>raise NotImplementedError()\n"
    return _SOLUTION.sub(rf"{region}\g<indent>### END SOLUTION\2", source)


def _text(folder: Path) -> str:
    return _file(folder).read_text(encoding="utf-8").partition(TRY)[0]


def _file(folder: Path) -> Path:
    return folder / "answer.py"
