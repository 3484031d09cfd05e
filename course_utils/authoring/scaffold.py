"""A new exercise: a folder that runs, with TODO wherever an author has to write."""

import re
from pathlib import Path

from course_utils.authoring.files import create_file, explained, replace_file
from course_utils.checking.exercises import ExerciseFolder
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest

_TEMPLATE = Path(__file__).with_name("exercise_template")
_ENTRY = """
[[assignments.exercises]]
name = "{name}"
title = "TODO"
map = "X{chapter}.1"
kind = "implement"
points = 3
minutes = 10
"""


def new_exercise(root: Path, name: str) -> list[Path]:
    """Make the folder of exercise TOPIC.NAME, and its entry in course.toml where there is none.

    Returns the files that were written.

    Raises CourseError for a name of another form, a topic that no assignment has, or a folder
    that is there already; then nothing was written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*", name):
        raise CourseError(
            f"{name!r} is no name for an exercise: write TOPIC.NAME, as in tensors.move_batch."
        )
    manifest = root / "course.toml"
    course = load_manifest(manifest)
    topic, _, short = name.partition(".")
    known = {assignment.topic: assignment for assignment in course.assignments}
    if topic not in known:
        raise CourseError(
            f"No assignment has the topic {topic}: use one of {', '.join(known)}, or "
            "add an assignment to course.toml first."
        )
    assignment = known[topic]
    place = ExerciseFolder(name, root).path
    if place.exists():
        raise CourseError(f"{place} is there already: choose another name, or finish that one.")
    made = []
    if name not in {exercise.name for exercise in assignment.exercises}:
        entry = _ENTRY.format(name=name, chapter=int(assignment.lesson))
        with explained(manifest):
            text = manifest.read_text(encoding="utf-8")
        replace_file(manifest, _with_entry(text, assignment.name, entry).encode())
        made.append(manifest)
    for source in sorted(_TEMPLATE.rglob("*.*")):
        target = place / source.relative_to(_TEMPLATE)
        create_file(target, source.read_text(encoding="utf-8").replace("NAME", short).encode())
        made.append(target)
    return made


def unfinished(place: Path) -> list[Path]:
    """The files of an exercise in which something is still to do."""
    return [
        path
        for path in sorted(place.rglob("*.*"))
        if path.suffix in (".py", ".md") and "todo" in path.read_text(encoding="utf-8").lower()
    ]


def _with_entry(text: str, assignment: str, entry: str) -> str:
    """course.toml with `entry` as the last exercise of `assignment`."""
    begin = text.index(f'[[assignments]]\nname = "{assignment}"')
    end = text.find("\n[[assignments]]", begin + 1)
    end = len(text) if end < 0 else end
    return text[:end].rstrip("\n") + "\n" + entry + text[end:]
