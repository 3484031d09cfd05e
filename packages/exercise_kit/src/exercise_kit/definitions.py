"""What a cell defines, without what it does: to have a function as if it had never been called."""

import ast
import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any


def definitions(source: str) -> Iterator[str]:
    """The statements that import, define, or give a name to a literal value.

    Or a further name to what is defined before them.
    """
    defined: set[str] = set()
    try:
        statements: Iterable[ast.stmt] = ast.parse(source).body
    except SyntaxError:
        return
    for statement in statements:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                defined.add(name)
                yield ast.unparse(statement)
            case ast.Import() | ast.ImportFrom():
                yield ast.unparse(statement)
            case ast.Assign(targets=[ast.Name()], value=value) if is_literal(value):
                yield ast.unparse(statement)
            case ast.Assign(targets=[ast.Name()], value=ast.Name(id=name)) if name in defined:
                yield ast.unparse(statement)


def is_literal(value: ast.expr) -> bool:
    """Whether an expression is numbers, strings and containers of them alone."""
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True


def cell_of(answer: Any) -> str:
    """The cell in which a function or class stands; empty where there is none to be had."""
    answer = inspect.unwrap(answer)
    methods = filter(inspect.isfunction, vars(answer).values()) if inspect.isclass(answer) else ()
    function = next(map(inspect.unwrap, methods), answer)
    if not inspect.isfunction(function):
        return ""
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


def defined_anew(answer: Any) -> Callable[..., Any] | None:
    """`answer` as the cell in which it stands defines it, in a namespace like its own.

    None for what is no plain function, or whose source cannot be had or run by itself.
    """
    if type(answer) is not FunctionType:
        return None
    namespace = dict(answer.__globals__)
    namespace.pop(answer.__name__, None)
    # Under its own name, so that what is raised is known to be the answer's.
    program = "\n".join(definitions(cell_of(answer)))
    try:
        exec(compile(program, answer.__code__.co_filename, "exec"), namespace)
    except Exception:
        return None
    found = namespace.get(answer.__name__)
    return found if type(found) is FunctionType else None
