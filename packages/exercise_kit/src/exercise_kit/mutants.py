"""Mutants of a reference solution: each is the same code with one small fault.

A check that accepts a mutant does not find this fault, unless the mutant is right as well.
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
"""Comparison → the comparison that replaces it."""
_JOINS: dict[type[ast.boolop], type[ast.boolop]] = {ast.And: ast.Or, ast.Or: ast.And}
_COMPUTES: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


@dataclass(frozen=True)
class Mutant:
    """A mutant. change: as in "`a == b` → `a != b`", with a number if there are several."""

    change: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """Every single-fault mutant of `source`, each a complete program."""
    tree = ast.parse(source)
    docstrings = _docstrings(tree)
    found: list[Mutant] = []
    seen: dict[str, int] = {}
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in docstrings:
            continue
        for index in range(len(list(_faults(node)))):
            mutated = copy.deepcopy(tree)
            target = list(ast.walk(mutated))[number]
            replacement = list(_faults(target))[index]
            before = _short(node)
            _replace(mutated, target, replacement)
            change = f"`{before}` → `{_short(replacement)}`"
            seen[change] = seen.get(change, 0) + 1
            if seen[change] > 1:
                change += f" ({seen[change]})"
            found.append(Mutant(change, ast.unparse(ast.fix_missing_locations(mutated))))
    return found


def _faults(node: ast.AST) -> Iterator[ast.AST]:
    """The faulty replacements of `node`."""
    match node:
        case ast.Compare(ops=[op], left=left, comparators=comparators) if type(op) in COMPARISONS:
            yield ast.Compare(left, [COMPARISONS[type(op)]()], comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(_JOINS[type(op)](), values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _COMPUTES:
            yield ast.BinOp(left, _COMPUTES[type(op)](), right)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.If(test=test, body=body, orelse=orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str() as value):
            yield ast.Constant(f"not {value}")
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Assign() | ast.AugAssign() | ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Call(func=func, args=args, keywords=[_, *_] as keywords):
            for left_out in keywords:
                yield ast.Call(func, args, [k for k in keywords if k is not left_out])


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _docstrings(tree: ast.AST) -> set[int]:
    """The ids of the string nodes of docstrings, whose change would not be a fault."""
    found: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            found |= {
                id(part)
                for part in ast.walk(body[0])
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            }
    return found


def _replace(tree: ast.AST, target: ast.AST, replacement: ast.AST) -> None:
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, field, replacement)
                return
            if isinstance(value, list):
                for index, item in enumerate(value):
                    if item is target:
                        value[index] = replacement
                        return


def _short(node: ast.AST) -> str:
    """The first line of a node's source. A fault can contain shared nodes, so it is copied."""
    text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))
    first, _, rest = text.partition("\n")
    return first + (" …" if rest else "")
