"""Changes of a learner's own lines, one at a time.

Each change edits the text in place, so that all the rest is as the learner wrote it.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from textwrap import dedent

from exercise_kit.mutants import COMPARISONS

_PASSED_ON = {"clone", "contiguous", "cpu", "cuda", "detach", "pin_memory", "to"}
_PASSED_ON |= {"with_name", "with_suffix"}
"""Methods that return their object in another form."""

_NAMES = {"cpu": "cuda", "cuda": "cpu"}

_Place = ast.expr | ast.stmt


@dataclass(frozen=True)
class ChangedLine:
    """A cell with one change.

    before, after: the lines that differ, without indentation; "" if a line was removed.
    """

    cell: str
    before: str
    after: str


def changed_lines(cell: str) -> list[ChangedLine]:
    """All changes: first one of each line; of a line, first those about calls and devices."""
    found: list[tuple[int, ChangedLine]] = []
    source = cell.encode()  # columns of an AST count bytes
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _own(ast.parse(cell)):
        for rank, first, last, text in _changes(node, cell):
            begin = starts[first.lineno - 1] + first.col_offset
            end = starts[(last.end_lineno or 1) - 1] + (last.end_col_offset or 0)
            new = (source[:begin] + text.encode() + source[end:]).decode()
            if (change := _change(cell, new)) is not None:
                found.append((rank, change))
    unique = {change.cell: change for _, change in sorted(found, key=lambda each: each[0])}
    turns: Counter[str] = Counter()
    in_turn: dict[int, list[ChangedLine]] = defaultdict(list)
    for change in unique.values():
        in_turn[turns[change.before]].append(change)
        turns[change.before] += 1
    return list(chain(*in_turn.values()))


def _change(cell: str, new: str) -> ChangedLine | None:
    """The change from `cell` to `new`; None if `new` is no program, or the same one."""
    try:
        if ast.dump(ast.parse(new)) == ast.dump(ast.parse(cell)):
            return None
    except SyntaxError:
        return None
    before, after = cell.splitlines(), new.splitlines()
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    texts = (dedent("\n".join(lines)).strip() for lines in (before, after))
    return ChangedLine(new, *texts)


def _own(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a cell's definitions, without docstrings and annotations."""
    waiting: list[ast.AST] = [
        node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign)
    ]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.JoinedStr):
            continue  # before Python 3.12, the positions of its parts are wrong
        yield node
        left_out = {"annotation", "returns", "decorator_list"}
        for name, value in ast.iter_fields(node):
            if name not in left_out:
                values = value if isinstance(value, list) else [value]
                waiting += [each for each in values if isinstance(each, ast.AST)]


def _changes(node: ast.AST, cell: str) -> Iterator[tuple[int, _Place, _Place, str]]:
    """The changes of a node: rank (0 is asked first), first and last node replaced, new text."""
    match node:
        case ast.Expr(value=ast.Call()):
            yield 0, node, node, "pass"
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _PASSED_ON:
            yield 0, node, node, ast.unparse(value)
        case ast.With(items=[ast.withitem(context_expr=context, optional_vars=None)]):
            yield 0, node, context, "if True"
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
            yield 1, node, node, ast.unparse(ast.Compare(left, [COMPARISONS[type(op)]()], [right]))
            if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                yield 1, node, node, ast.unparse(ast.Compare(right, [op], [left]))
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield 1, node, node, f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=operand) as test):
            yield 2, test, test, ast.unparse(operand)
        case ast.If(test=test) if not isinstance(test, ast.Compare):
            yield 2, test, test, f"not ({ast.get_source_segment(cell, test)})"
        case ast.Constant(value=bool() as value):
            yield 1, node, node, str(not value)
        case ast.Constant(value=int() | float() as value):
            yield 2, node, node, repr(value + 1)
        case ast.Constant(value=str() as value) if value in _NAMES:
            yield 1, node, node, repr(_NAMES[value])
    if isinstance(node, ast.Call):
        for left_out in node.keywords:
            kept = [each for each in node.keywords if each is not left_out]
            yield 0, node, node, ast.unparse(ast.Call(node.func, node.args, kept))
