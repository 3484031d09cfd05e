"""`make sizes`: the lines of code of each package, and the imports between them.

Lines of code are lines without blank lines, comments and docstrings. Imports in functions count,
too.
"""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from course_utils import _HOME

ROOT = Path(__file__).resolve().parents[1]

PACKAGES = {
    "virtual_cuda": ROOT / "packages/virtual_cuda/src/virtual_cuda",
    "virtual_cuda_tool": ROOT / "packages/virtual_cuda/src/virtual_cuda_tool",
    "exercise_kit": ROOT / "packages/exercise_kit/src/exercise_kit",
    "course_utils": ROOT / "course_utils",
    "course_notebooks": ROOT / "packages/course_notebooks",
    "course_command": ROOT / "packages/course_command",
    "course_workspace": ROOT / "packages/course_workspace",
    "course_authoring": ROOT / "packages/course_authoring",
    "course_grading": ROOT / "packages/course_grading",
    "lesson_parts": ROOT / "notebooks/lesson_parts",
}
TESTS = {
    "tests of the course": (ROOT / "tests", ROOT / "packages/exercise_kit/tests"),
    "tests of virtual_cuda": (ROOT / "packages/virtual_cuda/tests",),
}
SUMS = {
    "virtual_cuda with its tool": ("virtual_cuda", "virtual_cuda_tool"),
    "notebooks, command and workspace": ("course_notebooks", "course_command", "course_workspace"),
}
LIMITS = {
    "virtual_cuda with its tool": 10_900,
    "exercise_kit": 2_900,
    "lessons and exercises": 3_300,
    "notebooks, command and workspace": 3_500,
    "course_authoring": 1_050,
    "course_grading": 6_200,
    "lesson_parts": 2_700,
    "share of course_grading": 2_777,
    "tests of the course": 22_000,
    "tests of virtual_cuda": 18_500,
}
"""Limits in lines of code; a commit that raises one names the code that it replaces."""

SUBMISSIONS = ("attacks", "faults", "own")
"""Folders of tests with submissions: cells that need not be Python."""

LONGEST = 400
"""The largest number of lines of a file, all lines counted."""


def lines_of_code(text: str) -> int:
    """The number of lines of code: without blank lines, comments and docstrings."""
    told = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
            told |= set(range(node.lineno, (node.end_lineno or 0) + 1))
    nothing = (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in nothing:
            held |= set(range(token.start[0], token.end[0] + 1))
    return len(held - told)


@dataclass(frozen=True)
class Module:
    """A file of a package, by its dotted name."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @cached_property
    def code(self) -> int:
        return lines_of_code(self.text)

    @property
    def package(self) -> str:
        return self.name.partition(".")[0]


def modules(packages: Mapping[str, Path] = PACKAGES) -> dict[str, Module]:
    """Every module of the packages, by its dotted name."""
    found = {}
    for package, folder in packages.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join([package, *parts]).removesuffix(".__init__")
            found[name] = Module(name, path)
    return found


def imported(text: str, known: Mapping[str, Module], here: str = "") -> Iterator[str]:
    """The modules among `known` that a text imports. here: the package of relative imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = here.split(".")[: len(here.split(".")) + 1 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            nearest = name if name in known else name.rpartition(".")[0]
            if nearest in known:
                yield nearest


def arrows(known: Mapping[str, Module]) -> dict[str, set[str]]:
    """The modules that each module imports, by name."""
    return {
        name: set(imported(module.text, known, package_of(module))) - {name}
        for name, module in known.items()
    }


def package_of(module: Module) -> str:
    """The package at which relative imports of a module begin."""
    if module.path.name == "__init__.py":
        return module.name
    return module.name.rpartition(".")[0]


def closure(begin: Iterable[str], drawn: Mapping[str, set[str]]) -> set[str]:
    """The modules that can be reached from `begin` by imports."""
    reached: set[str] = set()
    waiting = list(begin)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += drawn[name]
    return reached


def circles(drawn: Mapping[str, set[str]]) -> list[set[str]]:
    """Groups of modules that can be reached from each other."""
    reach = {name: closure(drawn[name], drawn) for name in drawn}
    found = [
        {name, *(other for other in reach[name] if name in reach[other])}
        for name in drawn
        if name in reach[name]
    ]
    return [group for number, group in enumerate(found) if group not in found[:number]]


def begun_by_lessons(known: Mapping[str, Module]) -> set[str]:
    """The modules that lessons and exercises import, with those of the names in `course_utils`."""
    texts = [
        path.read_text("utf-8")
        for folder in ("notebooks/text", "assignments/text", "assignments/exercises")
        for path in (ROOT / folder).rglob("*.py")
    ]
    return {*_HOME.values(), *(name for text in texts for name in imported(text, known))}


def shares(known: Mapping[str, Module]) -> dict[str, int]:
    """The lines of code of course_utils that each of its users imports, directly or indirectly."""
    drawn = arrows(known)

    def pulled(begin: Iterable[str]) -> int:
        reached = closure(begin, drawn)
        return sum(known[name].code for name in reached if known[name].package == "course_utils")

    users = {
        f"share of {user}": pulled(name for name, module in known.items() if module.package == user)
        for user in ("course_workspace", "course_grading", "course_authoring", "lesson_parts")
    }
    return {"lessons and exercises": pulled(begun_by_lessons(known)), **users}


def sizes(known: Mapping[str, Module]) -> dict[str, int]:
    """Lines of code of each package, of packages that share a limit, and of the tests."""
    packages = {
        package: sum(m.code for m in known.values() if m.package == package) for package in PACKAGES
    }
    sums = {name: sum(packages[part] for part in parts) for name, parts in SUMS.items()}
    tests = {
        name: sum(
            lines_of_code(file.read_text("utf-8"))
            for folder in folders
            for file in folder.rglob("*.py")
            if file.parent.name not in SUBMISSIONS
        )
        for name, folders in TESTS.items()
    }
    return packages | sums | tests


def main() -> None:
    known = modules()
    for title, table in (
        ("lines of code", sizes(known)),
        ("of course_utils, by closure", shares(known)),
    ):
        print(title)
        for name, lines in table.items():
            limit = f"at most {LIMITS[name]:,}" if name in LIMITS else ""
            over = "  TOO MANY" if lines > LIMITS.get(name, lines) else ""
            print(f"{lines:8,}  {name:34}{limit}{over}".rstrip())
    long = [name for name, module in known.items() if module.text.count("\n") > LONGEST]
    print(f"{len(long):8}  files over {LONGEST} lines", *long)
    found = circles(arrows(known))
    print(f"{len(found):8}  circles of files")
    for circle in found:
        print("         ", *sorted(circle))


if __name__ == "__main__":
    main()
