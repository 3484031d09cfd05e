"""A public class name means one thing across the repository."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "course_authoring",
    "course_grading",
    "course_utils",
    "exercise_kit/src",
    "notebooks/lesson_parts",
)
TO_BE_RENAMED = {
    "Course": "grading has one for where nbgrader's folders are; the manifest's keeps the name",
    "Refused": "what the sandbox refuses, and a file that intake refuses",
    "Submission": "three stages of one way in grading",
}


def public_classes() -> dict[str, list[str]]:
    """The modules that define each public class, at their top or inside of something."""
    found = defaultdict(list)
    for path in (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))):
        if "template" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def test_no_public_class_has_the_name_of_another():
    found = public_classes()
    assert len(found) > 100
    twice = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert {name: paths for name, paths in twice.items() if name not in TO_BE_RENAMED} == {}
