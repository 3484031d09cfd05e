"""A cell's text as Python: the names that it defines and uses. No code is run."""

import ast
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_LONGEST = 200_000  # characters; a longer text is not an answer, and parsing it takes seconds
_CANNOT_BE_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
_RUN_AS_CELL = re.compile(r"\s*%%(?:time|capture)\b.*")  # the rest of the cell runs unchanged
_CELL_MAGIC = re.compile(r"\s*%%")
_ONLY_IPYTHON = re.compile(r"([ \t]*)(?:[\w.,\[\] \t]*=[ \t]*)?[%!?].*|([ \t]*)[^#\n]*\?[ \t]*")
_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class CellCode:
    """The text of a cell as Python; `tree` is None if it is not Python."""

    text: str

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree; None if the text is not Python."""
        return _parsed(self.text)

    @property
    def statements(self) -> list[ast.stmt]:
        """The statements of the tree; empty if the text is not Python."""
        return self.tree.body if self.tree else []

    @cached_property
    def bound(self) -> dict[str, ast.AST]:
        """The names that the cell assigns or defines, each with the last node that does so."""
        return bindings(self.statements)

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names of its functions and classes."""
        nodes = self.bound.items()
        return frozenset(name for name, node in nodes if isinstance(node, _DEFINITIONS))

    @cached_property
    def used(self) -> frozenset[str]:
        """All names that are read in it."""
        nodes = ast.walk(self.tree) if self.tree else ()
        names = [node for node in nodes if isinstance(node, ast.Name)]
        return frozenset(name.id for name in names if isinstance(name.ctx, ast.Load))

    def seems_to_define(self, name: str) -> bool:
        """Whether it defines `name`, or, if it is not Python, has a line that seems to do so."""
        return name in self.bound if self.tree else self.lines_defining(name) > 0

    def lines_defining(self, name: str) -> int:
        """The number of lines that look like the begin of a definition of `name`, even in prose."""
        pattern = rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{re.escape(name)}\b"
        return len(re.findall(pattern, self.text, re.MULTILINE))


def bindings(nodes: Sequence[ast.AST]) -> dict[str, ast.AST]:
    """The names that `nodes` of a cell assign or define, each with the last node that does so."""
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
    """Whether two nodes are the same, apart from comments and layout."""
    try:
        return ast.dump(one) == ast.dump(other)
    except RecursionError:  # deeper than all released code
        return False


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same, apart from white space."""
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
        warnings.simplefilter("ignore")  # as for "\d": these warnings are not for the instructor
        return ast.parse(text)


def _without_ipython(text: str) -> str:
    """The text with `pass` instead of magics, shell lines and questions.

    IPython's own transformer tokenizes the whole cell once for every such line: a cell full of them
    would take minutes.
    """
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if _RUN_AS_CELL.fullmatch(lines[first]):
        lines[first] = ""
    elif _CELL_MAGIC.match(lines[first]):
        return "pass"
    found = ((line, _ONLY_IPYTHON.fullmatch(line)) for line in lines)
    return "\n".join(f"{ours[1] or ours[2] or ''}pass" if ours else line for line, ours in found)
