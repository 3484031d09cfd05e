"""A cell's text as Python: what it binds, what it uses. Nothing is ever run."""

import ast
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_LONGEST = 200_000  # characters; a text beyond that is no answer, and parsing it would take seconds
_CANNOT_BE_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
_RUN_AS_CELL = re.compile(r"\s*%%(?:time|capture)\b.*")  # the rest runs in the notebook as it is
_CELL_MAGIC = re.compile(r"\s*%%")
_ONLY_IPYTHON = re.compile(r"([ \t]*)(?:[\w.,\[\] \t]*=[ \t]*)?[%!?].*|([ \t]*)[^#\n]*\?[ \t]*")
_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class CellCode:
    """The text of a cell, and what it is as Python; `tree` is None where it is none."""

    text: str

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree; None where the text is no Python."""
        return _parsed(self.text)

    @property
    def statements(self) -> list[ast.stmt]:
        """The statements of the tree; none where the text is no Python."""
        return self.tree.body if self.tree else []

    @cached_property
    def bound(self) -> dict[str, ast.AST]:
        """The names that running the cell gives a value, each with the node that does so last."""
        return bindings(self.statements)

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of its functions and classes."""
        nodes = self.bound.items()
        return frozenset(name for name, node in nodes if isinstance(node, _DEFINITIONS))

    @cached_property
    def used(self) -> frozenset[str]:
        """Every name that is read anywhere in it."""
        nodes = ast.walk(self.tree) if self.tree else ()
        names = [node for node in nodes if isinstance(node, ast.Name)]
        return frozenset(name.id for name in names if isinstance(name.ctx, ast.Load))

    def seems_to_define(self, name: str) -> bool:
        """Does it define `name`, or look as if it should, where it is no Python?"""
        return name in self.bound if self.tree else self.lines_defining(name) > 0

    def lines_defining(self, name: str) -> int:
        """How many lines look as if they began a definition of `name`, in code or in prose."""
        pattern = rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{re.escape(name)}\b"
        return len(re.findall(pattern, self.text, re.MULTILINE))


def bindings(nodes: Sequence[ast.AST]) -> dict[str, ast.AST]:
    """The names that `nodes`, run in a cell, give a value, each with the node that does so last."""
    found: dict[str, ast.AST] = {}
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _DEFINITIONS):
            found[node.name] = node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0]: node for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = node
        elif not isinstance(node, _OWN_NAMES):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))
    return found


def same_code(one: ast.AST, other: ast.AST) -> bool:
    """Are two nodes the same but for comments and layout?"""
    try:
        return ast.dump(one) == ast.dump(other)
    except RecursionError:  # deeper than anything that is released
        return False


def same_text(one: str, other: str) -> bool:
    """Are two texts the same but for white space?"""
    return squeezed(one) == squeezed(other)


def squeezed(text: str) -> str:
    """A text without spaces and line ends."""
    return "".join(text.split())


def _parsed(text: str) -> ast.Module | None:
    if len(text) > _LONGEST:
        return None
    try:
        return _parse(text)
    except _CANNOT_BE_PARSED:
        pass
    try:
        return _parse(_without_ipython(text))
    except _CANNOT_BE_PARSED:
        return None


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a "\d", say: the student's, not the instructor's
        return ast.parse(text)


def _without_ipython(text: str) -> str:
    """The text with `pass` for magics, shell lines and questions.

    IPython's own transformer tokenizes the whole cell once for every such line, so that a cell of
    nothing else would keep the grader busy for minutes.
    """
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if _RUN_AS_CELL.fullmatch(lines[first]):
        lines[first] = ""
    elif _CELL_MAGIC.match(lines[first]):
        return "pass"
    found = ((line, _ONLY_IPYTHON.fullmatch(line)) for line in lines)
    return "\n".join(f"{ours[1] or ours[2] or ''}pass" if ours else line for line, ours in found)
