"""Add and remove an exercise of the course: its folder, and its entry in course.toml."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from course_notebooks.safe_files import explained, replace_file
from course_utils.checking.exercises import folder_of_all, place_of
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from exercise_kit.scaffold import new_folder

_FOLDERS = (
    "assignments/exercises",
    "assignments/text",
    "course_utils",
    "notebooks",
    "packages",
    "tests",
)
_PAGES = ("*.md", "site/guides/*.md", "site/pages/**/*.md")
_TEXTS = (".md", ".py", ".toml")
_NEW_ENTRY = """
[[assignments.exercises]]
name = "{name}"
title = "TODO"
map = "X{chapter}.1"
kind = "write"
points = 3
minutes = 10
"""
# The lines up to the next table; comments and empty lines before that table belong to it.
_ENTRY = re.compile(
    r"^\[\[assignments\.exercises\]\].*\n(?:(?!(?:#.*\n?|[ \t]*\n)*(?:\[|\Z)).*\n?)+", re.MULTILINE
)


def new_exercise(root: Path, name: str) -> list[Path]:
    """Make the folder of exercise TOPIC.NAME, and its entry in course.toml if there is none.

    Returns the files that were written.

    Raises ExerciseError for an invalid name, a topic that no assignment has, or an existing folder;
    then nothing was written.
    """
    manifest = root / "course.toml"
    course = load_manifest(manifest)
    known = {assignment.topic: assignment for assignment in course.assignments}
    topic, dot, _ = name.partition(".")
    if dot and topic not in known:
        raise CourseError(
            f"No assignment has the topic {topic}. Use one of {', '.join(known)}, or "
            "add an assignment to course.toml first."
        )
    made = new_folder(folder_of_all(root), name)
    assignment = known[topic]
    if name not in {exercise.name for exercise in assignment.exercises}:
        entry = _NEW_ENTRY.format(name=name, chapter=int(assignment.lesson))
        with explained(manifest):
            text = manifest.read_text(encoding="utf-8")
        begin = text.index(f'[[assignments]]\nname = "{assignment.name}"')
        next_one = text.find("\n[[assignments]]", begin + 1)
        end = len(text) if next_one < 0 else next_one
        text = text[:end].rstrip("\n") + "\n" + entry + text[end:]  # as its last exercise
        replace_file(manifest, text.encode())
        made.insert(0, manifest)
    return made


def remove_exercise(root: Path, name: str, *, force: bool = False) -> Path:
    """Delete the folder of exercise `name`, which is returned, and its entry in course.toml.

    force: also files that git cannot restore.

    Raises CourseError for an unknown name, the only exercise of an assignment, or work that would
    be lost; then nothing was changed.
    """
    manifest, place = root / "course.toml", place_of(root, name)
    assignment = load_manifest(manifest).assignment_of(name)
    if len(assignment.exercises) == 1:
        raise CourseError(
            f"{name} is the only exercise of {assignment.name}, which needs one. Add "
            "another one first."
        )
    if not force and (lost := _only_here(place)):
        raise CourseError(
            f"git does not have all of {place} ({', '.join(lost)}). Commit it first, or run "
            f"`course remove {name} --force` to lose it."
        )
    with explained(manifest):
        text = _without_entry(manifest.read_text(encoding="utf-8"), name)
    if place.exists():
        with explained(place):
            shutil.rmtree(place)
    replace_file(manifest, text.encode())  # last: until it is done, the command can be run again
    return place


def mentions(root: Path, name: str) -> list[str]:
    """The lines in texts and programs of the course that may name the exercise, as FILE:LINE.

    A short name in quotes or as code may be another thing's name: the author decides.
    """
    topic, _, short = name.partition(".")
    named = re.compile(
        rf"\b{topic}[./]{short}\b"
        rf"|[`\"']{short}[`\"'(]"  # in a syllabus, a test, another task
        rf"|^# %% (?:\w+ )?{short}$"  # in the notebook of an attack or an accident
    )
    patterns = [*_PAGES, *(f"{folder}/**/*{ending}" for folder in _FOLDERS for ending in _TEXTS)]
    return [
        f"{path.relative_to(root)}:{number}"
        for path in sorted(path for pattern in patterns for path in root.glob(pattern))
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1)
        if named.search(line)
    ]


def _only_here(folder: Path) -> list[str]:
    """The files that git cannot restore: all of `folder` if there is no repository."""
    status = ["git", "status", "--porcelain", "--ignored", "--untracked-files=all", "--no-renames"]
    try:
        done = subprocess.run([*status, "."], cwd=folder, capture_output=True, text=True)
        known = done.returncode == 0
    except FileNotFoundError:  # no git, or no folder
        known = False
    if known:
        found = [Path(line[3:]) for line in done.stdout.splitlines()]
    else:
        found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path.name for path in found if "__pycache__" not in path.parts]


def _without_entry(text: str, name: str) -> str:
    """The text of course.toml without the entry of the exercise; the rest is unchanged."""
    tables = tomllib.loads(text)
    for assignment in tables["assignments"]:
        assignment["exercises"] = [x for x in assignment["exercises"] if x["name"] != name]
    named = re.compile(rf"^name\s*=\s*[\"']{re.escape(name)}[\"']", re.MULTILINE)
    for entry in _ENTRY.finditer(text):
        if named.search(entry[0]):
            text = text[: entry.start()].rstrip("\n") + "\n" + text[entry.end() :]
            break
    if tomllib.loads(text) != tables:
        raise CourseError(
            f"The entry of {name} in course.toml has an unusual form. Delete it there manually, "
            "and its folder."
        )
    return text
