"""Static flags: lines of a submission that may attack the checker, for the instructor.

This module reads the syntax tree and runs nothing. Actions that a reader could miss, such as access
to a frame through a computed name, raise audit events instead (`worker/audit.py`). A flag never
changes a grade. The lists are in static_flags.toml.
"""

import ast
import importlib.util
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from course_grading.results import Flag, on_a_line

_LONGEST = 100_000  # characters of a cell; honest cells are far shorter
_MOST_TEXT = 400_000  # characters of all cells: a tree needs some hundred bytes for each
_MOST_MAGICS, _LONGEST_WITH_MAGICS = 20, 30_000  # IPython's time for magics is quadratic
_MOST_FLAGS = 100
_LISTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_MODULES, _STRINGS, _SHELL = (
    re.compile(_LISTS[name], re.VERBOSE) for name in ("modules", "strings", "shell")
)
_FREE_OF_TEXT = re.compile(r"(?!(?:f|tb|gi|cr|ag|co)_)[A-Za-z]\w\w")
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_TOO_LONG, _TOO_DEEP = "is too long to check", "is nested too deeply to check"
_OPTIONS = re.compile(r"\A(?:\s*-[a-z]+\s*\d*)*\s*")  # of %timeit
_GIVEN = {"torch": "torch", "nn": "torch.nn", "np": "numpy"}
_BY_NAME = {"getattr": 1, "setattr": 1, "delattr": 1, "attrgetter": 0, "methodcaller": 0}


def static_flags(
    cells: Sequence[tuple[str, str]], files: Mapping[str, bytes] | None = None
) -> tuple[Flag, ...]:
    """Flags for lines that honest answers rarely need, in code cells and other files.

    cells: the name and the text of each cell, in order. A cell with invalid Python gets no flag,
        because it cannot run.
    files: path → content of the other submitted files; Python files are checked like cells.
    """
    flags = [
        Flag(name, 1, "", "begins like a pickle file, which can run code when it is loaded")
        for name, content in (files or {}).items()
        if _PICKLE.match(content)
    ]
    modules = [
        (n, c.decode(errors="replace")) for n, c in (files or {}).items() if n.endswith(".py")
    ]
    parts: list[tuple[str, _Part]] = []
    room = _MOST_TEXT
    for name, text in [*cells, *modules]:
        room -= len(text)
        part = _parsed(text) if room >= 0 else _TOO_LONG
        if isinstance(part, str):
            flags.append(Flag(name, 1, on_a_line(text.strip().partition("\n")[0]), part))
        elif part:
            parts.append((name, part))
    look = _Look([node for _, part in parts for node in ast.walk(part.tree)])
    for name, part in parts:
        found = {
            (part.before + getattr(node, "lineno", 1), why)
            for node in ast.walk(part.tree)
            for why in look.whys(node)
        }
        for line, why in sorted(found):
            source = part.lines[line - 1] if line <= len(part.lines) else ""
            flags.append(Flag(name, line, on_a_line(source), why))
    return tuple(dict.fromkeys(flags))[:_MOST_FLAGS]


@dataclass(frozen=True)
class _Part:
    """A cell. before: the number of its lines before the first line of `tree`."""

    tree: ast.Module
    lines: Sequence[str]
    before: int = 0


class _NotReadable(Exception):
    """A string within a cell cannot be checked; the message says why."""


def _parsed(text: str) -> _Part | str | None:
    """The tree of a cell; None for invalid Python; or the reason why it cannot be checked."""
    if len(text) > _LONGEST:
        return _TOO_LONG
    lines = text.split("\n")
    try:
        return _Part(_with_texts(ast.parse(text)), lines)
    except SyntaxError:
        pass
    except _NotReadable as why:
        return str(why)
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    except ValueError:  # a null byte
        return None
    magics = sum(line.lstrip().startswith(("%", "!", "?")) for line in lines)
    if magics > _MOST_MAGICS or (magics and len(text) > _LONGEST_WITH_MAGICS):
        return "has too many magics to check"
    empty = next((number for number, line in enumerate(lines) if line.strip()), 0)
    try:
        plain = TransformerManager().transform_cell(text)
        # transform_cell drops the empty lines at the beginning.
        return _Part(_with_texts(ast.parse(plain)), lines, empty)
    except _NotReadable as why:
        return str(why)
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    except Exception:  # the transformer fails in the worker as well
        return None


def _with_texts(tree: ast.Module) -> ast.Module:
    """A tree, extended by the trees of strings in it that magics and `timeit` run."""
    for node in [each for each in ast.walk(tree) if isinstance(each, ast.Call)]:
        for number, text in enumerate(map(_text, _run_by(node))):
            part = _parsed(text if number else _OPTIONS.sub("", text, count=1))
            if isinstance(part, str):
                raise _NotReadable(part)
            if part:  # its lines follow the line of the magic
                ast.increment_lineno(part.tree, node.lineno - 1 + part.before + number)
                tree.body += part.tree.body
    return tree


def _run_by(node: ast.Call) -> list[ast.expr]:
    """The arguments that a magic, or a call of `timeit`, runs if they are strings."""
    if _called(node) in ("run_line_magic", "run_cell_magic"):
        return node.args[1:]
    named = [each.value for each in node.keywords if each.arg in ("stmt", "setup")]
    return [*node.args[:2], *named] if _called(node) in ("timeit", "repeat", "Timer") else []


class _Look:
    """The reasons for flags, with facts about names from all cells together.

    paths: name → dotted path of an imported object.
    own: private attributes of the submission's own classes, and names of its functions.
    unread: names with values other than strings that can be read in place.
    classes: names with the type of an object as value.
    passed: ids of nodes without a flag. followed: ids of nodes that are called, or get another
        name, which is tracked. shown: id of an argument → name of the built-in that shows it.
    """

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.paths, self.own = dict(_GIVEN), set[str]()
        self.passed, self.followed, in_class = set[int](), set[int](), set[int]()
        self.shown: dict[int, str] = {}
        self.read, self.unread, self.classes = set[str](), set[str](), set[str]()
        for node in nodes:
            if isinstance(node, ast.Call):
                self.followed.add(id(node.func))
            match node:
                case ast.Import(names):
                    for each in names:
                        first = each.name.partition(".")[0]
                        self.paths[each.asname or first] = each.name if each.asname else first
                case ast.ImportFrom(module, names):
                    self.paths |= {e.asname or e.name: f"{module}.{e.name}" for e in names}
                case ast.Attribute(ast.Name("self" | "cls"), name, ast.Store()):
                    self.own.add(name)
                case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                    self.own.add(name)
                case ast.arg(name):
                    self.unread.add(name)
                case ast.For() | ast.AsyncFor() | ast.comprehension():
                    values = getattr(node.iter, "elts", [node.iter])
                    self._bind(node.target, values)
                case ast.ClassDef(name, body=body):
                    self.own.add(name)
                    named = [value for each in body if (value := getattr(each, "value", None))]
                    in_class |= set(map(id, named))
                case ast.Assign(targets, value):
                    if isinstance(targets[-1], ast.Name) and id(value) not in in_class:
                        self.followed.add(id(value))  # another name for it, which is tracked now
                    for target in targets:
                        self._bind(target, [value])
                case ast.AnnAssign() | ast.NamedExpr() | ast.AugAssign() if node.value:
                    self._bind(node.target, [node.value])
                case ast.Expr(ast.Constant() as docstring):
                    self.passed.add(id(docstring))
                case ast.Attribute(ast.Attribute() | ast.Name() as inner):
                    self.passed.add(id(inner))  # the whole path is checked
                case ast.Call(ast.Name(name) as function, given):
                    if name in _BY_NAME:
                        self.passed.add(id(function))
                    if name in _LISTS["showing"] and given:
                        self.shown[id(given[0])] = name
                case ast.Call(
                    ast.Attribute(ast.Call(ast.Name("get_ipython") as shell), kind), said
                ):
                    if _SHELL.fullmatch(" ".join([kind, *map(_text, said)])):
                        self.passed.add(id(shell))

    def _bind(self, target: ast.expr, values: Sequence[ast.expr]) -> None:
        names = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
        (self.read if all(map(_can_be_read, values)) else self.unread).update(names)
        if isinstance(target, ast.Name) and len(values) == 1:
            if path := self.path(values[0]):
                self.paths[target.id] = path
            if _called(values[0]) == "type":
                self.classes.add(target.id)

    def path(self, node: ast.AST) -> str:
        """The dotted path: "torch.nn.Module" for `nn.Module`; "" if it was not imported."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.paths:
            return ""
        return ".".join([self.paths[node.id], *reversed(names)])

    def whys(self, node: ast.AST) -> Iterator[str]:
        """The reasons to flag a node, without those of its parts."""
        match node:
            case ast.Import(names):
                yield from self._of_path(*(each.name for each in names))
            case ast.ImportFrom(str(module), names):
                yield from self._of_path(*(f"{module}.{each.name}" for each in names))
            case ast.Name("get_ipython") if id(node) not in self.passed:
                yield "uses the IPython shell"
            case ast.Name(name, ast.Load()) if id(node) not in self.passed:
                if name in _LISTS["names"]:
                    yield f"uses `{name}`"
                yield from self._handed_on(node)
            case ast.Attribute():
                yield from self._attribute(node)
            case ast.MatchClass(kwd_attrs=names):
                yield from (f"uses `{name}`" for name in names if _is_hidden(name))
            case ast.Constant(str() | bytes() as text) if id(node) not in self.passed:
                text = text if isinstance(text, str) else text.decode("latin-1")
                if found := _STRINGS.search(text):
                    yield f"has `{on_a_line(found[0])}` in a string"
            case ast.FunctionDef(name) if name in _LISTS["methods"]:
                yield f"has a class with its own `{name}`"
            case ast.Call():
                yield from self._call(node)
        for owner, name, value in _assigned(node):
            yield from self._assignment(owner, name, value)

    def _of_path(self, *paths: str) -> Iterator[str]:
        for path in paths:
            if _MODULES.search(path) or any(map(_is_hidden, path.split(".")[1:])):
                yield f"uses `{path}`"

    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        name, path, of = node.attr, self.path(node), node.value
        mine = getattr(of, "id", "") in ("self", "cls") or _called(of) == "super"
        free = mine and name in _LISTS["of_self"]
        if name.startswith("_") and not name.startswith("__"):
            free = mine or name in self.own - {*_LISTS["ours"]}
        if _is_hidden(name) and not free:
            yield f"uses `{name}`, which is private"
        elif path and id(node) not in self.passed:
            yield from self._of_path(path)
            if isinstance(node.ctx, ast.Load):
                yield from self._handed_on(node)
        if name in ("format", "format_map") and not (path or _text(of) or self._is_known(of)):
            yield "formats with a computed string"

    def _handed_on(self, node: ast.expr) -> Iterator[str]:
        """The reason to flag a module as a value: uses of its parts can be hidden after that."""
        looked_at = self.shown.get(id(node), "") in {*_LISTS["showing"]} - self.own - self.unread
        path = "" if looked_at or id(node) in self.followed else self.path(node)
        if path not in _LISTS["given"] and _is_module(path):
            yield f"passes on the module `{path}`"

    def _assignment(self, owner: ast.expr, name: str, value: ast.AST | None) -> Iterator[str]:
        path, of = self.path(owner), getattr(owner, "id", "")
        if path and not path.startswith(tuple(_LISTS["assigned"])) and of not in self.own:
            yield f"assigns to an attribute of `{path}`"
        elif name == "__class__" or getattr(owner, "attr", "") == "__class__":
            yield "changes the class of an object"
        elif _called(owner) == "type" or of in self.classes:
            yield "assigns to the class of an object"
        elif of != "self" and name in _LISTS["replaced"] and self._is_function(value):
            yield f"replaces `{name}` with its own function"

    def _is_known(self, node: ast.expr) -> bool:
        """Whether it is a name or a table whose values are all strings that can be read."""
        table = node.value if isinstance(node, ast.Subscript) else node
        return getattr(table, "id", "") in self.read - self.unread

    def _is_function(self, value: ast.AST | None) -> bool:
        return isinstance(value, ast.Lambda) or getattr(value, "id", None) in self.own

    def _call(self, node: ast.Call) -> Iterator[str]:
        called = _called(node)
        place = _BY_NAME.get(called)
        if place is not None and (isinstance(node.func, ast.Name) or self.path(node.func)):
            names = node.args[place : place + 1] if place else node.args
            for name in [each for each in node.args if isinstance(each, ast.Starred)] or names:
                moved = called == "setattr" and _called(node.args[-1]) == "to"  # a parameter
                if not (moved or self._is_known(name) or _can_be_read(name)):
                    yield "accesses an attribute by a computed name"
                elif place and (path := self.path(node.args[0])):
                    yield from self._of_path(f"{path}.{_text(name) or '*'}")
        patched = self.path(node.func).startswith("unittest.mock.patch") and node.args
        if patched and _text(node.args[0]) not in _LISTS["patched"] and called != "dict":
            yield "replaces something outside the submission"
        most = {"deepcopy": 1, "wraps": 1, "update_wrapper": 2}.get(called)
        passed = any(each.arg in ("assigned", "memo") for each in node.keywords)
        if passed or (most is not None and len(node.args) > most):
            yield "copies attributes by a list of names, or gets the memo of a copy"
        if self.path(node.func).startswith("timeit.") and not all(
            _text(each) or self._is_function(each) for each in _run_by(node)
        ):
            yield "runs a computed string as code"
        for keyword in node.keywords:
            harmless = _LISTS["keywords"].get(keyword.arg)
            if harmless is not None and getattr(keyword.value, "value", None) is not harmless:
                yield f"sets `{keyword.arg}` to another value than `{harmless}`"


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, str, ast.AST | None]]:
    """Owner, name and, if known, value of each attribute that a node sets or deletes."""
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node.value, node.attr, None
    elif isinstance(node, ast.Assign):
        targets = [each for each in node.targets if isinstance(each, ast.Attribute)]
        yield from ((each.value, each.attr, node.value) for each in targets)
    elif isinstance(node, ast.Call) and _called(node) in ("setattr", "delattr"):
        owner, name, value, *_ = [*node.args, None, None, None]
        if owner is not None and name is not None:
            yield owner, _text(name), value


def _called(node: ast.AST) -> str:
    """The last name of the called function; "" for a node that is not a call."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _text(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@cache
def _is_module(path: str) -> bool:
    """Whether a dotted path names a module, without importing it."""
    top, *inner = path.split(".")
    spec = importlib.util.find_spec(top) if top else None
    if spec is None or not inner:
        return spec is not None
    places = [Path(each, *inner) for each in spec.submodule_search_locations or ()]
    return any(each.is_dir() or each.with_suffix(".py").is_file() for each in places)


def _can_be_read(node: ast.AST) -> bool:
    """Whether it is a string, or begins with one, that cannot name a hidden attribute."""
    match node:
        case ast.Dict(values=values):
            return all(map(_can_be_read, values))
        case ast.Constant(str(text)):
            return not _is_hidden(text)
        case ast.JoinedStr([ast.Constant(str(head)), *_]) | ast.BinOp(ast.Constant(str(head))):
            constant = not any(isinstance(each, ast.Name | ast.Call) for each in ast.walk(node))
            inner = any(each.startswith(head) for each in _LISTS["attributes"])
            return bool(_FREE_OF_TEXT.match(head)) and not (constant or inner)
    return False


def _is_hidden(name: str) -> bool:
    """Whether an attribute is one that honest answers do not use."""
    return name in _LISTS["attributes"] or (name.startswith("_") and name not in _LISTS["private"])
