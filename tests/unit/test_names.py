"""A public class name means one thing across the repository."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "course_utils",
    *(path.relative_to(ROOT).as_posix() for path in (ROOT / "packages").glob("course_*")),
    "packages/exercise_kit/src",
    "notebooks/lesson_parts",
)


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


@pytest.mark.slow
def test_no_public_class_has_the_name_of_another():
    found = public_classes()
    assert len(found) > 100
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}
