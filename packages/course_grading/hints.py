"""Hints for the instructor: lines of a submission that honest answers rarely need.

Hints are found in the syntax tree, with the lists in hints.toml; no code is run. A hint never
changes a grade, and its absence proves nothing, because a computed name avoids it. The worker
reports suspicious actions at run time (`worker/audit.py`).
"""

import ast
import contextlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from course_grading.results import Flag, on_a_line

_LONGEST = 100_000  # characters of a cell; honest ones are far shorter
_MOST_TEXT = 400_000  # characters of all cells: a tree needs some hundred bytes for each
_MOST_MAGICS, _LONGEST_WITH_MAGICS = 20, 30_000  # IPython takes quadratic time for them
_MOST_HINTS = 100
_LISTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_TIMED = re.compile(r"^[ \t]*%%?(?:capture|timeit|time)\b(?:\s+-\w+\s*\d*)*[ \t]*", re.MULTILINE)
_DUNDER = re.compile(r"__\w+__")
_TOO_LONG = "is too long to be checked"
_GIVEN = {"torch": "torch", "nn": "torch.nn", "np": "numpy"}


class _Unreadable(Exception):
    """A text cannot be checked for hints. The message is the reason."""


def hints(
    cells: Sequence[tuple[str, str]], files: Mapping[str, bytes] | None = None
) -> tuple[Flag, ...]:
    """The hints for code cells, in order, and for other files.

    cells: the name and text of each cell. A cell that is not Python has no hint: it cannot run.
    files: the files submitted with the notebook. Python files among them are checked too.
    """
    found: list[Flag] = []
    texts = [*cells]
    for name, content in (files or {}).items():
        if _PICKLE.match(content):
            found.append(Flag(name, 1, "", "begins like a pickle, whose loading can run code"))
        elif name.endswith(".py"):
            texts.append((name, content.decode(errors="replace")))
    trees: list[tuple[str, str, int, ast.Module]] = []
    total = 0
    for name, text in texts:
        total += len(text)
        try:
            if total > _MOST_TEXT:
                raise _Unreadable(_TOO_LONG)
            dropped, tree = _parsed(text)
        except _Unreadable as why:
            found.append(Flag(name, 1, on_a_line(text.strip().partition("\n")[0]), str(why)))
        else:
            trees.append((name, text, dropped, tree))
    reader = _Reader([node for *_, tree in trees for node in ast.walk(tree)])
    for name, text, dropped, tree in trees:
        lines = text.split("\n")
        whys = {
            (dropped + getattr(node, "lineno", 1), why)
            for node in ast.walk(tree)
            for why in reader.whys(node)
        }
        for line, reason in sorted(whys):
            found.append(Flag(name, line, on_a_line("".join(lines[line - 1 : line])), reason))
    return tuple(dict.fromkeys(found))[:_MOST_HINTS]


def _parsed(text: str) -> tuple[int, ast.Module]:
    """The number of lines above the tree's first one, and the tree; empty if it is not Python."""
    if len(text) > _LONGEST:
        raise _Unreadable(_TOO_LONG)
    text = _TIMED.sub("", text)  # the code after such a magic is checked too
    lines = text.split("\n")
    magics = sum(line.lstrip().startswith(("%", "!", "?")) for line in lines)
    try:
        with contextlib.suppress(SyntaxError):
            return 0, ast.parse(text)
        if magics > _MOST_MAGICS or (magics and len(text) > _LONGEST_WITH_MAGICS):
            raise _Unreadable("has too many magics to be checked")
        dropped = next((number for number, line in enumerate(lines) if line.strip()), 0)
        return dropped, ast.parse(TransformerManager().transform_cell(text))
    except (RecursionError, MemoryError):
        raise _Unreadable("is nested too deeply to be checked") from None
    except _Unreadable:
        raise
    except Exception:  # a null byte, or the transformer fails, as in the worker
        return 0, ast.Module([], [])


class _Reader:
    """Finds the reasons for a hint at a node, with the imports and classes of all cells.

    paths: the dotted path of each imported name. modules: names of imported modules.
    own: names that the submission itself defines.
    harmless: nodes that need no hint, such as a part of a path, which is checked as a whole.
    """

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        self.paths, self.own, self.harmless = dict(_GIVEN), set[str](), set[int]()
        self.modules = {*_GIVEN}
        for node in nodes:
            match node:
                case ast.Import(names):
                    for each in names:
                        first = each.name.partition(".")[0]
                        self.paths[each.asname or first] = each.name if each.asname else first
                        self.modules.add(each.asname or first)
                case ast.ImportFrom(module, names):
                    self.paths |= {e.asname or e.name: f"{module}.{e.name}" for e in names}
                case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                    self.own.add(name)
                case ast.Attribute(ast.Name("self" | "cls"), name, ast.Store()):
                    self.own.add(name)
                case ast.Expr(ast.Constant() as docstring):
                    self.harmless.add(id(docstring))
                case ast.Attribute(ast.Name() | ast.Attribute() as inner):
                    self.harmless.add(id(inner))
                case ast.Call(ast.Name(name), [given, *_]) if name in _LISTS["inspecting"]:
                    self.harmless.add(id(given))
                case ast.Call(
                    ast.Attribute(ast.Call(ast.Name("get_ipython") as shell), kind),
                    [ast.Constant(str(first)), *_],
                ):
                    listed = _LISTS["magics" if "magic" in kind else "shell"]
                    if first.partition(" ")[0] in listed and not re.search(r"[;&`$>/]", first):
                        self.harmless.add(id(shell))

    def path(self, node: ast.AST) -> str:
        """The dotted path, such as "torch.nn.Module"; "" for a name that was not imported."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        first = self.paths.get(node.id, "") if isinstance(node, ast.Name) else ""
        return ".".join([first, *reversed(names)]) if first else ""

    def whys(self, node: ast.AST) -> Iterator[str]:
        """The reasons for hints at a node itself, without its parts."""
        match node:
            case ast.Import(names):
                yield from self._of_paths(*(each.name for each in names))
                if "course_utils" in {each.name for each in names}:
                    yield "imports the whole of `course_utils`"
            case ast.ImportFrom(module, names):
                yield from self._of_paths(*(f"{module}.{each.name}" for each in names))
            case ast.Name("get_ipython") if id(node) not in self.harmless:
                yield "uses the IPython shell"
            case ast.Name(name, ast.Load()) if name in _LISTS["names"]:
                yield f"uses `{name}`"
            case ast.Name(name, ast.Load()) if name in self.modules and name not in self.own:
                if id(node) not in self.harmless and self.paths[name] not in _LISTS["given"]:
                    yield f"passes on the module `{self.paths[name]}`"
            case ast.Attribute(of, name, context):
                if id(node) not in self.harmless:
                    yield from self._of_paths(self.path(node))
                if self._is_private(of, name):
                    yield f"uses `{name}`, which is private"
                if not isinstance(context, ast.Load):
                    if self._is_imported(of):
                        yield f"assigns to an attribute of `{self.path(of)}`"
                    elif "__class__" in (name, getattr(of, "attr", "")) or _called(of) == "type":
                        yield "changes the class of an object"
            case ast.Constant(str(text)) if id(node) not in self.harmless:
                if found := _reaching(text):
                    yield f"has `{on_a_line(found)}` in a string"
            case ast.FunctionDef(name) if name in _LISTS["methods"]:
                yield f"has a class with its own `{name}`"
            case ast.Call(
                ast.Name("getattr" | "setattr" | "delattr" as function), [owner, name, *_]
            ):
                if function != "getattr" and self._is_imported(owner):
                    yield f"assigns to an attribute of `{self.path(owner)}`"
                if isinstance(name, ast.Call):
                    yield "accesses an attribute by a computed name"
            case ast.Call(ast.Attribute(ast.Call() | ast.BinOp(), "format" | "format_map")):
                yield "formats with a computed string"
            case ast.Call(function, [_, _, *_]) if self.path(function) == "copy.deepcopy":
                yield "gets the memo of a copy"
            case ast.Assign(targets, value) if isinstance(value, ast.Lambda) or (
                isinstance(value, ast.Name) and value.id in self.own
            ):
                for target in targets:
                    name = getattr(target, "attr", "")
                    if name in _LISTS["replaced"] and not _is_self(getattr(target, "value", None)):
                        yield f"replaces `{name}` with its own function"
        for keyword in getattr(node, "keywords", ()):
            harmless = _LISTS["keywords"].get(keyword.arg)
            if harmless is not None and getattr(keyword.value, "value", None) is not harmless:
                yield f"sets `{keyword.arg}` to another value than `{harmless}`"

    def _of_paths(self, *paths: str) -> Iterator[str]:
        for path in paths:
            listed = _below(path, _LISTS["modules"])
            if path.endswith(".*"):
                listed = listed or any(each.startswith(path[:-1]) for each in _LISTS["modules"])
            if listed and not _below(path, _LISTS["harmless_modules"]):
                yield f"uses `{path}`"

    def _is_imported(self, owner: ast.AST) -> bool:
        path = self.path(owner)
        mine = isinstance(owner, ast.Name) and owner.id in self.own
        return bool(path) and not mine and not _below(path, _LISTS["assigned"])

    def _is_private(self, of: ast.expr, name: str) -> bool:
        if not name.startswith("_"):
            return name in _LISTS["attributes"]
        own = name in self.own and name not in _LISTS["ours"]
        mine = own or _is_self(of) or _called(of) == "super"
        return not mine and name not in _LISTS["private"]


def _below(path: str, listed: Sequence[str]) -> bool:
    """Whether a listed path is above `path`, or in it: a module may be reached through another."""
    whole = f".{path}."
    return any(f".{each}." in whole for each in listed)


def _is_self(node: ast.AST | None) -> bool:
    return getattr(node, "id", "") in ("self", "cls")


def _called(node: ast.AST) -> str:
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


def _reaching(text: str) -> str:
    """The suspicious part of a string, or ""."""
    parts = [each for each in _LISTS["strings"] if each in text]
    parts += [
        name for name in _DUNDER.findall(text) if name not in (*_LISTS["private"], "__main__")
    ]
    return parts[0] if parts else text if text in _LISTS["attributes"] else ""
