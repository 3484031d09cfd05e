"""The exercises' own solutions: answer.py in their folders."""

import re
from pathlib import Path

from exercise_kit.errors import ExerciseError

TRY = "# %% try\n"
"""What stands in answer.py between the starting text and the lines to try it out with."""

_SOLUTION = re.compile(
    r"^(?P<indent>[ \t]*)### BEGIN SOLUTION.*?### END SOLUTION[^\n]*(\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_BELOW = re.compile(
    r"(?P<solution>^(?P<indent>[ \t]+)### BEGIN SOLUTION.*?### END SOLUTION[ \t]*\n)"
    r"(?P<program>((?P=indent)[^\n]*\n|[ \t]*\n)*)",
    re.MULTILINE | re.DOTALL,
)  # what stands below a solution, in the same function
_REGION = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*(\n|\Z)", re.MULTILINE)


def has_reference(folder: Path) -> bool:
    """Whether the solution of the exercise in `folder` is on this machine."""
    return _file(folder).is_file()


def reference(folder: Path) -> str:
    """The source of the exercise in `folder` as its author solved it.

    Raises ExerciseError where the sources are not on this machine, as with a class's release.
    """
    if not has_reference(folder):
        raise ExerciseError(
            f"The solution of {folder.name} is not on this machine; ask your instructor."
        )
    return _REGION.sub("", _BELOW.sub(r"\g<solution>", _text(folder))).strip()


def stub(folder: Path) -> str:
    """What learners begin with: the solution's place holds the line that says so."""
    return _SOLUTION.sub(r"\g<indent>raise NotImplementedError()\n", _text(folder)).strip()


def to_be_fixed(folder: Path) -> str:
    """The broken program of an exercise to be fixed, which stands below its solution; or ""."""
    below = _BELOW.search(_text(folder))
    if below is None or not below["program"].strip():
        return ""
    return _BELOW.sub(r"\g<program>", _text(folder)).strip() + "\n"


def emptied(source: str) -> str:
    """A source whose solutions, between their markers, are the line that says so."""
    region = r"\g<indent>### BEGIN SOLUTION\n\g<indent>raise NotImplementedError()\n"
    return _SOLUTION.sub(rf"{region}\g<indent>### END SOLUTION\2", source)


def _text(folder: Path) -> str:
    return _file(folder).read_text(encoding="utf-8").partition(TRY)[0]


def _file(folder: Path) -> Path:
    return folder / "answer.py"
