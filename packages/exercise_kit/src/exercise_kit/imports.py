"""The allowed imports of an exercise: observers and judges must not import each other."""

import ast
from collections.abc import Iterator
from pathlib import Path

_JUDGING = {"judge", "judging", "exercise_kit.judging", "exercise_kit.engine"}
_OBSERVING = {"observe", "observing", "exercise_kit.observers", "exercise_kit.runner"}
_ANSWERS = {"answer", "exercise_kit.reference", "exercise_kit.truth"}


def import_problems(folder: Path) -> Iterator[str]:
    """Messages on forbidden imports in observe.py, judge.py and the shared files of a topic."""
    shared = folder.parent
    for file, forbidden in (
        (folder / "observe.py", _JUDGING | _ANSWERS),
        (shared / "observing.py", _JUDGING | _ANSWERS),
        (folder / "judge.py", _OBSERVING | _ANSWERS),
        (shared / "judging.py", _OBSERVING | _ANSWERS),
    ):
        for name in sorted(_imported(file)) if file.exists() else ():
            if any(name == bad or name.startswith(f"{bad}.") for bad in forbidden):
                yield f"{file} imports {name}. Keep observers, judges and answers separate."


def _imported(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
            found |= {f"{node.module or ''}.{alias.name}".lstrip(".") for alias in node.names}
    return found
