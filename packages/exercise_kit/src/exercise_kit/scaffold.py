"""A new exercise: a working folder, with TODO where the author must write."""

import re
from pathlib import Path

from exercise_kit.errors import ExerciseError

_TEMPLATE = Path(__file__).with_name("template")


def new_folder(root: Path, name: str) -> list[Path]:
    """Make ROOT/TOPIC/NAME for the exercise TOPIC.NAME. Returns the paths of its files.

    Raises ExerciseError for an invalid name, or if the folder exists.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*", name):
        raise ExerciseError(
            f"{name!r} is not a name for an exercise. Write TOPIC.NAME, as in tensors.move_batch."
        )
    topic, _, short = name.partition(".")
    place = root / topic / short
    if place.exists():
        raise ExerciseError(f"{place} exists already. Choose another name, or finish that one.")
    made = []
    for source in sorted(_TEMPLATE.rglob("*.*")):
        if "__pycache__" in source.parts:  # pip compiles what it installs
            continue
        target = place / source.relative_to(_TEMPLATE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source.read_text(encoding="utf-8").replace("NAME", short), "utf-8")
        made.append(target)
    return made


def unfinished(place: Path) -> list[Path]:
    """The files of an exercise that still contain a TODO."""
    return [
        path
        for path in sorted(place.rglob("*.*"))
        if path.suffix in (".py", ".md") and "todo" in path.read_text(encoding="utf-8").lower()
    ]
