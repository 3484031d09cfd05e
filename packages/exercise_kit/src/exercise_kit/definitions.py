"""The definitions in a cell, without its other statements: for a function that was never called."""

import ast
import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any


def definitions(source: str) -> Iterator[str]:
    """The statements of a cell that import, define a function or class, or assign a literal.

    An assignment of a name defined above is included as well.
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
    """Whether an expression consists only of numbers, strings and containers of these."""
    try:
        ast.literal_eval(value)
    except ValueError:
        return False
    return True


def cell_of(answer: Any) -> str:
    """The source of the cell that defines a function or class; "" if not available."""
    answer = inspect.unwrap(answer)
    methods = filter(inspect.isfunction, vars(answer).values()) if inspect.isclass(answer) else ()
    function = next(map(inspect.unwrap, methods), answer)
    if not inspect.isfunction(function):
        return ""
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


def defined_anew(answer: Any) -> Callable[..., Any] | None:
    """A new copy of the function `answer`, from the definitions of its cell.

    None if it is not a plain function, or if its source is not available or does not run alone.
    """
    if type(answer) is not FunctionType:
        return None
    namespace = dict(answer.__globals__)
    namespace.pop(answer.__name__, None)
    # Under the cell's own file name, so that errors are recognised as the answer's.
    program = "\n".join(definitions(cell_of(answer)))
    try:
        exec(compile(program, answer.__code__.co_filename, "exec"), namespace)
    except Exception:
        return None
    found = namespace.get(answer.__name__)
    return found if type(found) is FunctionType else None


def defined_alone(source: str, name: str) -> Any:
    """The object `name` that definitions in `source` make; None without it.

    A statement that raises an error is left out, such as an import that only another cell needs.
    """
    linecache.cache["<answer>"] = (len(source), None, source.splitlines(keepends=True), "<answer>")
    names: dict[str, Any] = {"__name__": "__main__"}
    for statement in ast.parse(source).body:
        try:
            exec(compile(ast.Module([statement], []), "<answer>", "exec"), names)
        except Exception:
            continue
    return names.get(name)
