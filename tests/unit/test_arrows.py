"""Who imports whom: every arrow runs down."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import sizes

ROOT = Path(__file__).parents[2]

OWNERS = sizes.PACKAGES
MACHINERY = {"virtual_cuda", "virtual_cuda_tool", "exercise_kit"}
SHARED = {"course_utils", "course_notebooks", "course_command"}
MAY_IMPORT = {
    "virtual_cuda": {"virtual_cuda_tool"},  # one distribution
    "virtual_cuda_tool": {"virtual_cuda"},
    "exercise_kit": set(),
    "course_utils": MACHINERY,
    "course_notebooks": MACHINERY | {"course_utils"},
    "course_command": MACHINERY | {"course_utils", "course_notebooks"},
    "course_workspace": MACHINERY | SHARED,
    "course_grading": MACHINERY | SHARED,
    "course_authoring": MACHINERY | SHARED,
    "lesson_parts": MACHINERY | SHARED | {"course_workspace"},
}

FLOORS = (
    {"", "cpus", "errors", "inline", "nearest", "words"},
    {"manifest_entries", "usage"},
    {"manifest_problems"},
    {"devices", "manifest"},
    {"experiments"},
    {"figures", "forms", "program"},
    {"checking"},
)
"""The rooms of course_utils, from the ground up. The first is the package itself: it only has
names, each loaded at its first use."""


@pytest.mark.parametrize("owner", OWNERS)
def test_owners(owner):
    found = {name.partition(".")[0] for _, name in imports(OWNERS[owner])} & set(OWNERS)
    assert found <= MAY_IMPORT[owner] | {owner}


def test_rooms_of_course_utils():
    package = OWNERS["course_utils"]
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    rooms = {path.stem for path in package.iterdir() if path.suffix == ".py"}
    rooms |= {path.parent.name for path in package.glob("*/*.py")}
    assert rooms - {"__init__"} <= set(floor)
    for path, name in imports(package):
        if not name.startswith("course_utils"):
            continue
        here = path.relative_to(package).with_suffix("").parts[0]
        there = (name + ".").split(".")[1]
        assert here == there or floor[here] > floor[there], f"{path} imports {name}"


@pytest.fixture(scope="module")
def known() -> dict[str, sizes.Module]:
    return sizes.modules()


@pytest.mark.slow
def test_no_files_import_each_other_in_a_circle(known):
    assert sizes.circles(sizes.arrows(known)) == []


@pytest.mark.slow
def test_what_each_takes_of_course_utils_by_closure(known):
    for user, lines in sizes.shares(known).items():
        assert lines <= sizes.LIMITS.get(user, lines), user


@pytest.mark.slow
def test_an_exercise_takes_from_the_course_only_what_observes():
    rooms = ("checking", "devices", "experiments", "program")
    allowed = {f"course_utils.{room}" for room in rooms}
    folder = ROOT / "assignments" / "exercises"
    for path, name in imports(folder):
        is_answer = path.name == "answer.py" or path.parent.name in ("accepted", "wrong")
        if not is_answer and name.partition(".")[0] in OWNERS.keys() - MACHINERY:
            assert ".".join(name.split(".")[:2]) in allowed, f"{path} imports {name}"


def imports(folder: Path) -> Iterator[tuple[Path, str]]:
    """Each file, and what it imports, wherever in it that stands."""
    for path in folder.glob("**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                inside = node.module == "course_utils"  # `from course_utils import errors`
                names = [f".{alias.name}" for alias in node.names] if inside else [""]
                yield from ((path, f"{node.module}{name}") for name in names)
