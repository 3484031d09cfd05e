"""The parts of the learner's program that lessons ask for, and the program between two lessons.

notebooks/project has the finished program, train.py and shapes.py. early.py has the first version
of each part, which is used until its lesson. A part never changes its name or parameters.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from course_utils.errors import CourseError
from course_utils.manifest import repository_root

FILES = ("train.py", "shapes.py")


@dataclass(frozen=True)
class Hole:
    """A part: a function or class of `file`, for an exercise of the lesson of this number."""

    name: str
    lesson: str
    exercise: str
    file: str = "train.py"


HOLES = (
    Hole("pick_device", "01", "machine.pick_device"),
    Hole("train_epoch", "02", "tensors.train_epoch"),
    Hole("ShapeNet", "03", "modules.shape_net", "shapes.py"),
    Hole("take_cards", "06", "freest.take_cards"),
    Hole("train_batch", "08", "busy.train_batch"),
    Hole("batches_ahead", "09", "feeding.batches_ahead"),
    Hole("save", "10", "saving.save"),
    Hole("resume", "10", "saving.save"),
    Hole("start_ranks", "11", "ranks.start_ranks"),
    Hole("batches_of", "11", "ranks.start_ranks", "shapes.py"),
)


def early(root: Path | None = None) -> dict[str, str]:
    """The text of the program's files, by name, before lesson 01, in the course at `root`."""
    return _with(_source("early.py", root), (hole.name for hole in HOLES), root)


def after(lesson: str) -> dict[str, str]:
    """The text of the program's files after this lesson, with the course's own parts."""
    return _with(_source("early.py"), (hole.name for hole in HOLES if hole.lesson > lesson))


def before(exercise: str) -> dict[str, str]:
    """The text of the program's files before an exercise: its own and all later parts are open."""
    lesson = next(hole.lesson for hole in HOLES if hole.exercise == exercise)
    return _with(_source("early.py"), (hole.name for hole in HOLES if hole.lesson >= lesson))


def put(files: Mapping[str, str], cell: str) -> dict[str, str]:
    """The files with the definitions of a cell.

    A part of the program replaces the one of the same name. The cell's other definitions are put
    before the first part in a file that needs them, and its imports are added to that file.

    Raises:
        CourseError: the cell defines no part of the program, or a file no longer has that part.
    """
    found = parts(cell)
    filled = [hole for hole in HOLES if hole.name in found]
    if not filled:
        raise CourseError(
            f"This defines no part of train.py. The parts are {', '.join(h.name for h in HOLES)}."
        )
    texts = dict(files)
    for hole in filled:
        here = parts(texts[hole.file])
        if hole.name not in here:
            raise CourseError(f"{hole.file} no longer defines {hole.name}. Put it back.")
        text = "\n\n\n".join([*beside(cell, {hole.name}, texts[hole.file]), found[hole.name]])
        texts[hole.file] = _importing(texts[hole.file], cell).replace(here[hole.name], text, 1)
    return texts


def parts(source: str) -> dict[str, str]:
    """The text of each function and class of a file, by name, with its decorators."""
    return {
        node.name: _text(source, node)
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def beside(cell: str, filled: set[str], source: str) -> list[str]:
    """The other definitions of a cell that the parts `filled` need, if `source` lacks them."""
    known = set(map(ast.unparse, ast.parse(source).body))  # without comments
    nodes = [node for node in ast.parse(cell).body if names_of(node)]
    needed = [node for node in nodes if names_of(node) & filled]
    for node in needed:  # the list grows meanwhile
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        needed += [each for each in nodes if each not in needed and names_of(each) & used]
    all_parts = {hole.name for hole in HOLES}
    rest = [node for node in nodes if node in needed and not names_of(node) & all_parts]
    return [_text(cell, node) for node in rest if ast.unparse(node) not in known]


def names_of(node: ast.stmt) -> set[str]:
    """The names that a statement defines or assigns."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Assign(targets=targets):
            return {each.id for each in targets if isinstance(each, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def _with(source: str, names: Iterable[str], root: Path | None = None) -> dict[str, str]:
    """The finished program, in which the parts of these names are taken from `source`."""
    final, others = {file: _source(file, root) for file in FILES}, parts(source)
    texts = dict(final)
    for name in names:
        file = next(hole.file for hole in HOLES if hole.name == name)
        texts[file] = texts[file].replace(parts(final[file])[name], others[name], 1)
    return texts


def _importing(source: str, cell: str) -> str:
    """The text of a file with the imports of a cell added."""
    imports = [n for n in ast.parse(source).body if isinstance(n, ast.Import | ast.ImportFrom)]
    known = {ast.unparse(node) for node in imports}
    wanted = [n for n in ast.parse(cell).body if isinstance(n, ast.Import | ast.ImportFrom)]
    new = [ast.unparse(node) for node in wanted if not _is_known(node, known)]
    if not new:
        return source
    lines, last = source.splitlines(), max((n.end_lineno or 0 for n in imports), default=0)
    return "\n".join([*lines[:last], *new, *lines[last:], ""])


def _is_known(node: ast.Import | ast.ImportFrom, known: set[str]) -> bool:
    one_by_one = [ast.unparse(type(node)(**{**vars(node), "names": [n]})) for n in node.names]
    return ast.unparse(node) in known or all(text in known for text in one_by_one)


def _text(source: str, node: ast.stmt) -> str:
    decorators = getattr(node, "decorator_list", ())
    first = min(each.lineno for each in (node, *decorators))
    return "\n".join(source.splitlines()[first - 1 : node.end_lineno])


def _source(name: str, root: Path | None = None) -> str:
    path = Path(root or repository_root(), "notebooks", "project", name)
    return path.read_text(encoding="utf-8")
