"""The static look: lines of a submission that reach into what checks it, for the instructor.

An answer to an exercise about behaviour is judged by facts that its own process reports, and code
in that process can replace them. It cannot do so without a handle on the checker: frames, modules
of the course, patched functions of torch. Such lines are named here, by the syntax tree alone;
nothing of a submission is run. A line that is named never changes a grade. The
lists are in static_flags.toml.
"""

import ast
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from course_grading.results import Flag

_LONGEST = 100_000  # characters of a cell; no honest one comes near it
_MOST_TEXT = 400_000  # characters of all cells: a tree takes some hundred bytes for each
_MOST_MAGICS, _LONGEST_WITH_MAGICS = 20, 30_000  # IPython takes quadratic time for them
_MOST_FLAGS = 100
_DEEPEST = 3  # code in a string in a string
_CLIPPED = 160
_LISTS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_FREE = frozenset(_LISTS["modules"]["free"])
_ONLY = {name: frozenset(allowed) for name, allowed in _LISTS["modules"]["only"].items()}
_STRINGS = re.compile(_LISTS["never"]["strings"])
_COMMAND = re.compile(_LISTS["free"]["commands"])
_GIVEN = {
    "torch": "torch",
    "nn": "torch.nn",
    "np": "numpy",
    **{name: f"course_utils.{name}" for name in ("check", "hint", "lab")},
}
_TOO_LONG, _TOO_DEEP = "is too long to be looked at", "is nested too deep to be looked at"
_PUT_TOGETHER = "reaches for an attribute by a name that is put together"


def static_flags(cells: Sequence[tuple[str, str]]) -> tuple[Flag, ...]:
    """The lines that only an attack needs, of a submission's code cells in order.

    cells: the name of each cell, and its text. One that is no Python gives no flag: it cannot run.
    """
    flags: list[Flag] = []
    parts: list[tuple[str, _Part]] = []
    room = _MOST_TEXT
    for name, text in cells:
        room -= len(text)
        part = _parsed(text) if room >= 0 else _TOO_LONG
        if isinstance(part, str):
            flags.append(Flag(name, 1, _shown(text.strip().partition("\n")[0]), part))
        else:
            parts += [(name, each) for each in _with_inner(part)] if part else []
    known = _Known.of([part.tree for _, part in parts])
    for name, part in parts:
        found = {
            (part.line(node), why)
            for node in ast.walk(part.tree)
            for rule in _RULES
            for why in rule(node, known)
        }
        flags += [Flag(name, line, part.source(line), why) for line, why in sorted(found)]
    return tuple(dict.fromkeys(flags))[:_MOST_FLAGS]


@dataclass(frozen=True)
class _Part:
    """A cell, or code that stands in a string of it.

    lines: those of the whole cell. before: how many of them precede the first one of `tree`.
    """

    tree: ast.Module
    lines: Sequence[str]
    before: int = 0

    def line(self, node: ast.AST) -> int:
        return self.before + getattr(node, "lineno", 1)

    def source(self, line: int) -> str:
        return _shown(self.lines[line - 1]) if line <= len(self.lines) else ""


def _shown(line: str) -> str:
    line = "".join(sign if sign.isprintable() else " " for sign in line.strip())
    return line if len(line) <= _CLIPPED else f"{line[:_CLIPPED]}…"


def _parsed(text: str) -> _Part | str | None:
    """The tree of a cell; None if it is no Python; or why nobody can look at it."""
    if len(text) > _LONGEST:
        return _TOO_LONG
    lines = text.split("\n")
    try:
        return _Part(ast.parse(text), lines)
    except SyntaxError:
        pass
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    except ValueError:  # a null byte
        return None
    magics = sum(line.lstrip().startswith(("%", "!", "?")) for line in lines)
    if magics > _MOST_MAGICS or (magics and len(text) > _LONGEST_WITH_MAGICS):
        return "has too many magics to be looked at"
    empty = next((number for number, line in enumerate(lines) if line.strip()), 0)
    try:
        plain = TransformerManager().transform_cell(text)
        return _Part(ast.parse(plain), lines, empty)  # it drops the empty lines at the beginning
    except (RecursionError, MemoryError):
        return _TOO_DEEP
    except Exception:  # whatever stops the transformer here stops it in the worker
        return None


def _with_inner(part: _Part, depth: int = 0) -> Iterator[_Part]:
    """`part`, and the code in its strings that is run by a magic, by timeit or by `python -c`."""
    yield part
    if depth < _DEEPEST:
        for node in ast.walk(part.tree):
            for text, shift in _code_in(node):
                inner = _parsed(text)
                if isinstance(inner, _Part):
                    before = part.line(node) - 1 + shift
                    yield from _with_inner(_Part(inner.tree, part.lines, before), depth + 1)


def _code_in(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Code in the strings of `node`, and how many lines below it begins."""
    if magic := _magic(node):
        kind, arguments = magic
        if kind == "run_line_magic":
            yield arguments[1] if len(arguments) > 1 else "", 0
        elif kind == "run_cell_magic":
            yield arguments[2] if len(arguments) > 2 else "", 1
    elif isinstance(node, ast.List | ast.Tuple):
        texts = [_text(item) for item in node.elts]
        yield from ((text, 0) for flag, text in pairwise(texts) if flag == "-c" and text)
    elif isinstance(node, ast.Call) and _last(node.func) in ("timeit", "repeat", "Timer"):
        yield from ((text, 0) for text in map(_text, node.args) if text)


@dataclass(frozen=True)
class _Known:
    """What the names of a submission stand for, over all of its cells.

    paths: the dotted path of each name that stands for something imported.
    made: the names of functions and classes of its own.
    private: private attributes of its own classes.
    built: names that hold a string which was put together.
    listed: names that run through strings which are all there to be read.
    plain: nodes that need no look of their own, by id.
    """

    paths: Mapping[str, str]
    made: frozenset[str]
    private: frozenset[str]
    built: frozenset[str]
    listed: frozenset[str]
    plain: frozenset[int]

    @classmethod
    def of(cls, trees: Iterable[ast.Module]) -> "_Known":
        nodes = [node for tree in trees for node in ast.walk(tree)]
        paths = dict(_GIVEN)
        for node in nodes:
            paths.update(_imported_names(node))
        known = cls(paths, frozenset(), frozenset(), frozenset(), frozenset(), frozenset())
        built, private, plain = set[str](), set[str](), set[int]()
        for node in nodes:
            for name, value in _bound(node):
                if path := known.path(value):
                    paths[name] = path
                if _is_built(value):
                    built.add(name)
            if isinstance(node, ast.Attribute) and _is_name(node.value, "self", "cls"):
                private |= {node.attr} if isinstance(node.ctx, ast.Store) else set()
            if isinstance(node, ast.ClassDef):
                private |= {part.name for part in node.body if isinstance(part, _FUNCTION)}
            plain |= _plain_nodes(node)
        listed = {name for node in nodes for name in _listed(node)}
        unsure = {name for node in nodes for name in _otherwise_bound(node)}
        made = {node.name for node in nodes if isinstance(node, (*_FUNCTION, ast.ClassDef))}
        own = {name for name in private if not name.endswith("__")}
        return cls(
            paths,
            frozenset(made),
            frozenset(own),
            frozenset(built),
            frozenset(listed - unsure),
            frozenset(plain),
        )

    def path(self, node: ast.AST) -> str:
        """ "torch.nn.Module" for `nn.Module`; "" for what was not imported."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.paths:
            return ""
        return ".".join([self.paths[node.id], *reversed(names)])


_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def _imported_names(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (first, first)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module or ''}.{alias.name}"


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Names and what is assigned to them, where that is said one by one."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.AugAssign):
        targets = [node.target]
    else:
        return
    for target in targets:
        if isinstance(target, ast.Name) and node.value is not None:
            yield target.id, node.value


def _listed(node: ast.AST) -> Iterator[str]:
    """The names that get a text which is there to be read, or in a loop one after another."""
    match node:
        case ast.For(
            ast.Name(name), ast.Tuple(texts) | ast.List(texts) | ast.Set(texts)
        ) | ast.comprehension(ast.Name(name), ast.Tuple(texts) | ast.List(texts) | ast.Set(texts)):
            if all(map(_can_be_read, texts)):
                yield name
        case _:
            yield from (name for name, value in _bound(node) if _can_be_read(value))


def _otherwise_bound(node: ast.AST) -> set[str]:
    """Names that get anything else: as a parameter, by assignment, in another loop."""
    if isinstance(node, ast.arg):
        return {node.arg}
    bound = {name for name, _ in _bound(node)}
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        bound = {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    return bound - set(_listed(node))


def _can_be_read(node: ast.AST) -> bool:
    """Whether it is a text that begins with letters which nothing dangerous begins with."""
    return _holds_text(node) and not isinstance(node, ast.Call) and not _is_built(node)


def _plain_nodes(node: ast.AST) -> set[int]:
    """Parts of `node` that are judged together with it, or need no judgement."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
        return {id(node.value)}  # the whole is looked at
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return {id(node.value)}  # a docstring
    if isinstance(node, ast.Call) and _is_name(node.func, "getattr", "setattr", "delattr"):
        return {id(node.func)}
    match node:
        case ast.Call(ast.Attribute(ast.Call(name))):
            if (magic := _magic(node)) and _is_harmless(*magic):
                return {id(name)}
    return set()


def _magic(node: ast.AST) -> tuple[str, list[str]] | None:
    """The method and the strings of a call `get_ipython().run_line_magic(…)` and the like."""
    match node:
        case ast.Call(ast.Attribute(ast.Call(ast.Name("get_ipython")), kind), arguments):
            return kind, [_text(argument) for argument in arguments]
    return None


def _is_harmless(kind: str, arguments: Sequence[str]) -> bool:
    first = arguments[0] if arguments else ""
    if kind == "run_line_magic":
        harmless = first in _LISTS["free"]["line_magics"]
        return harmless and (first != "pip" or bool(_COMMAND.fullmatch(f"pip {arguments[1]}")))
    if kind == "run_cell_magic":
        return first in _LISTS["free"]["cell_magics"]
    return kind in ("system", "getoutput") and bool(_COMMAND.fullmatch(first.strip()))


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_name(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _last(node: ast.AST) -> str:
    """The last name of `a.b.c`."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_built(node: ast.AST) -> bool:
    """Whether an expression puts a string together that could hide what it says."""
    match node:
        case ast.Constant(str(text)):
            return _is_dangerous(text)
        case ast.JoinedStr(values) if values:
            return not _has_open_head(values[0]) or _is_constant(node)
        case ast.BinOp(left, ast.Add() | ast.Mod()):
            while isinstance(left, ast.BinOp):
                left = left.left
            return _holds_text(node) and (not _has_open_head(left) or _is_constant(node))
        case ast.BinOp(_, ast.Mult()):
            return _holds_text(node)
        case ast.Subscript(ast.Constant(str()), ast.Slice()):
            return True
        case ast.Call(ast.Name("chr" | "str" | "bytes"), arguments):
            return bool(arguments)
        case ast.Call(ast.Attribute(_, name)):
            return name in ("decode", "format", "fromhex", "join", "replace", "translate")
    return False


def _holds_text(node: ast.AST) -> bool:
    return any(isinstance(part, ast.JoinedStr) or _text(part) for part in ast.walk(node))


def _is_constant(node: ast.AST) -> bool:
    """Whether it is put together of pieces that are all known: why, but to hide it?"""
    return not any(isinstance(part, ast.Name | ast.Call) for part in ast.walk(node))


def _has_open_head(node: ast.AST) -> bool:
    """Whether a name that begins like this ("layer") cannot be one of Python's inner ones."""
    return bool(re.match(r"(?!(?:f|tb|gi|cr|ag|co)_)[A-Za-z]\w\w", _text(node)))


def _is_dangerous(attribute: str) -> bool:
    """Whether it may only be asked for by what reaches too far."""
    if attribute in _LISTS["never"]["attributes"]:
        return True
    allowed = {*_LISTS["private"]["read"], *_LISTS["private"]["written"]}
    return attribute.startswith("_") and attribute not in allowed


_Rule = Callable[[ast.AST, _Known], Iterator[str]]


def _imports(node: ast.AST, known: _Known) -> Iterator[str]:
    if isinstance(node, ast.Import):
        wanted = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        wanted = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return
    for path in wanted:
        if path.endswith(".*") and path.removesuffix(".*") in _ONLY:
            yield f"takes everything out of `{path.removesuffix('.*')}`"
        elif reason := _too_far(path):
            yield reason


@cache
def _too_far(path: str) -> str:
    """Why nobody needs the module, or the part of one, at `path`; "" if somebody may."""
    names = path.split(".")
    free = any(path == one or path.startswith(f"{one}.") for one in _LISTS["private"]["torch"])
    if not free and any(
        name.startswith("_") and name not in _LISTS["private"]["read"] for name in names[1:]
    ):
        return f"uses `{path}`, which is private"
    if any(path == one or path.startswith(f"{one}.") for one in _LISTS["modules"]["parts"]):
        return f"uses `{path}`, which runs or replaces code"
    home = next((home for home in _ONLY if path == home or path.startswith(f"{home}.")), None)
    if home is not None:
        rest = path[len(home) + 1 :].split(".")
        if rest[0] not in ("", "*", *_ONLY[home]):
            return f"uses `{path}`"
        names = rest
    elif names[0] not in _FREE:
        return f"imports `{path}`"
    if names[:2] == ["torch", "multiprocessing"]:  # a module of torch's own
        names = names[1:]
    inner = [name for name in names[1:] if name in _LISTS["modules"]["inside"]]
    return f"reaches `{inner[0]}` by `{path}`" if inner else ""


def _names(node: ast.AST, known: _Known) -> Iterator[str]:
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    if node.id in _LISTS["never"]["builtins"]:
        if node.id != "get_ipython":
            yield f"uses `{node.id}`"
        elif id(node) not in known.plain:
            yield "speaks to the shell"
    elif node.id in ("getattr", "setattr", "delattr") and id(node) not in known.plain:
        yield f"passes `{node.id}` on"
    elif known.paths.get(node.id) in _ONLY and id(node) not in known.plain:
        yield f"passes the module `{node.id}` on"


def _attributes(node: ast.AST, known: _Known) -> Iterator[str]:
    if isinstance(node, ast.MatchClass):
        yield from (f"uses `{name}`" for name in node.kwd_attrs if _is_dangerous(name))
    if not isinstance(node, ast.Attribute):
        return
    path, name = known.path(node), node.attr
    if name in _LISTS["never"]["attributes"]:
        yield f"uses `{name}`"
    elif path:
        # Of `torch.nn.Module` only the whole is looked at: it has the parts in it.
        whole = isinstance(node.ctx, ast.Load) and id(node) not in known.plain
        if whole and (reason := _too_far(path)):
            yield reason
    elif name.startswith("_") and not _is_own(node, known):
        yield f"uses `{name}`, which is private"


def _is_own(node: ast.Attribute, known: _Known) -> bool:
    """Whether a private attribute is one of those that honest answers use."""
    private, name = _LISTS["private"], node.attr
    mine = _is_name(node.value, "self", "cls") or (
        isinstance(node.value, ast.Call) and _is_name(node.value.func, "super")
    )
    if name in private["written"] or (isinstance(node.ctx, ast.Load) and name in private["read"]):
        return True
    if name.startswith("__") and name.endswith("__"):
        return mine and name in private["own"]
    return mine or name in known.private


def _assignments(node: ast.AST, known: _Known) -> Iterator[str]:
    """An attribute of torch, or of a class that is not the submission's, gets another value."""
    pairs: list[tuple[ast.expr, ast.expr | None]]
    if isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
    elif isinstance(
        node, ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor | ast.comprehension
    ):
        pairs = [(node.target, None)]
    elif isinstance(node, ast.Delete):
        pairs = [(target, None) for target in node.targets]
    elif isinstance(node, ast.withitem) and node.optional_vars:
        pairs = [(node.optional_vars, None)]
    elif isinstance(node, ast.Call) and _is_name(node.func, "setattr", "delattr") and node.args:
        name, value = (*node.args[1:3], None, None)[:2]
        yield from _assigned(node.args[0], _text(name), value, known)
        return
    else:
        return
    for target, value in pairs:
        for part in ast.walk(target):
            if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
                yield from _assigned(part.value, part.attr, value, known)


def _assigned(owner: ast.AST, name: str, value: ast.AST | None, known: _Known) -> Iterator[str]:
    path = known.path(owner)
    free = any(path == one or path.startswith(f"{one}.") for one in _LISTS["free"]["assigned"])
    if path and not free and not _is_name(owner, *known.made):
        yield f"assigns to an attribute of `{path}`"
    elif name == "__class__":
        yield "changes the class of an object"
    elif _is_class_of(owner):
        yield "assigns to the class of an object"
    elif not _is_name(owner, "self") and _is_callable(value, known) and _is_of_torch(name):
        yield f"puts a function of its own in the place of `{name}`"


def _is_class_of(node: ast.AST) -> bool:
    """`type(x)` or `x.__class__`."""
    return (isinstance(node, ast.Call) and _is_name(node.func, "type")) or (
        isinstance(node, ast.Attribute) and node.attr == "__class__"
    )


@cache
def _is_of_torch(name: str) -> bool:
    import torch  # two seconds, which hardly any submission is worth

    owners = (torch, torch.Tensor, torch.cuda, torch.nn.Module, torch.optim.Optimizer)
    return name != "forward" and any(callable(getattr(owner, name, None)) for owner in owners)


def _is_callable(value: ast.AST | None, known: _Known) -> bool:
    return isinstance(value, ast.Lambda) or _is_name(value or ast.Pass(), *known.made)


def _calls(node: ast.AST, known: _Known) -> Iterator[str]:
    if not isinstance(node, ast.Call):
        return
    path, called = known.path(node.func), _last(node.func)
    attribute = {"attrgetter": 0, "methodcaller": 0, "getattr": 1, "setattr": 1, "delattr": 1}
    place = attribute.get(called)
    if place is not None and (path or isinstance(node.func, ast.Name)):
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            yield _PUT_TOGETHER
        elif len(node.args) > place:
            name = node.args[place]
            if _is_built(name) or _is_name(name, *known.built):
                yield _PUT_TOGETHER
            elif not (_can_be_read(name) or _is_name(name, *known.listed)):
                yield "reaches for an attribute by a name that is computed"
            if (
                reason := _too_far(f"{known.path(node.args[0])}.{_text(name)}")
                if (place and _text(name) and known.path(node.args[0]))
                else ""
            ):
                yield reason
    if called in ("open", "FileIO") and node.args and _is_number(node.args[0]):
        yield "opens a descriptor by its number"
    for keyword in node.keywords:
        harmless = _LISTS["never"]["unless"].get(keyword.arg)
        if harmless is not None and getattr(keyword.value, "value", None) is not harmless:
            yield f"runs what a file says, by `{keyword.arg}`"
        if keyword.arg in _LISTS["never"]["keywords"]:
            yield f"starts a process with `{keyword.arg}`"
        if keyword.arg == "daemon" and called in ("Thread", "Process"):
            yield "starts what outlives its cell"
    if path.startswith("unittest.mock.patch") and not _is_harmless_patch(path, node, known):
        yield "replaces something outside the submission"


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_harmless_patch(path: str, node: ast.Call, known: _Known) -> bool:
    first = node.args[0] if node.args else None
    if path == "unittest.mock.patch.dict":
        return known.path(first or ast.Pass()) == "os.environ" or _text(first) == "os.environ"
    return path == "unittest.mock.patch" and _text(first) in _LISTS["free"]["patched"]


def _strings(node: ast.AST, known: _Known) -> Iterator[str]:
    """Names of places and attributes in strings; a docstring may hold any words."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        if id(node) not in known.plain and (found := _STRINGS.search(text)):
            yield f"has `{_shown(found[0].strip())}` in a string"


def _definitions(node: ast.AST, known: _Known) -> Iterator[str]:
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            names = [part.name] if isinstance(part, _FUNCTION) else []
            if isinstance(part, ast.Assign):
                names = [target.id for target in part.targets if isinstance(target, ast.Name)]
            for name in names:
                if name in _LISTS["never"]["methods"]:
                    yield f"has a class with its own `{name}`"


_RULES: Sequence[_Rule] = (
    _imports,
    _names,
    _attributes,
    _assignments,
    _calls,
    _strings,
    _definitions,
)
