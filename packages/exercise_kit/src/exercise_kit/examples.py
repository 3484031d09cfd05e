"""The examples of a task: they run with the exercise's own answer, and must be true."""

import ast
import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any

from exercise_kit.comparison import same
from exercise_kit.corpus import load_answer
from exercise_kit.facts import describe
from exercise_kit.folder import Exercise
from exercise_kit.given import BLOCK
from exercise_kit.reference import reference

_COMMENT = re.compile(r"#\s*(.*)$")


def example_problems(exercise: Exercise) -> Iterator[str]:
    """Messages on comments in task.md's examples that differ from the result of their line.

    A comment counts if it is or begins with a literal, such as `# [3, 1]`, or looks like printed
    output. A block with undefined names does not run.
    """
    task = exercise.path / "task.md"
    answer = load_answer(reference(exercise.path), exercise.short, "<the answer>")
    for language, block in BLOCK.findall(task.read_text(encoding="utf-8")):
        shows_a_call = f"{exercise.short}(" in block and f"def {exercise.short}(" not in block
        if language != "python" or not shows_a_call:
            continue
        namespace: dict[str, Any] = {**exercise.world.names(), exercise.short: answer}
        with (
            contextlib.suppress(NameError),
            exercise.world.unswitched(),
            tempfile.TemporaryDirectory() as folder,
        ):
            os.chdir(folder)  # an example may write a file
            for line, comment, value in _run(block, namespace):
                if not _is_so(comment, value):
                    yield (
                        f"{task} says `{line}  # {comment}`, but the answer returns "
                        f"{value!r}. Correct the comment."
                    )


def _run(block: str, namespace: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Each expression with a comment: its source, the comment, and its value or error."""
    lines = block.splitlines()
    for node in ast.parse(block).body:
        source = ast.get_source_segment(block, node) or ""
        end = node.end_lineno or node.lineno
        if not isinstance(node, ast.Expr):
            exec(compile(ast.Module([node], []), "<example>", "exec"), namespace)
            continue
        beside = _COMMENT.search(lines[end - 1][node.end_col_offset or 0 :])
        below = lines[end] if end < len(lines) else ""
        try:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                value = eval(compile(ast.Expression(node.value), "<example>", "eval"), namespace)
        except NameError:
            raise
        except Exception as error:
            value = error
        if value is None and printed.getvalue():
            value = printed.getvalue().rstrip("\n")
        comment = (
            beside[1] if beside else below.removeprefix("#").strip() if below[:1] == "#" else ""
        )
        if comment:
            yield source, comment, value


def _is_so(comment: str, value: Any) -> bool:
    if isinstance(value, Exception):
        named = re.match(r"(?:raises )?`?(\w+(?:Error|Exception))\b", comment)
        return named is None or named[1] == type(value).__name__
    plain = "".join(comment.split())
    if "".join(repr(value).split()) in plain or "".join(str(value).split()) == plain:
        return True
    for end in [
        len(comment),
        *(i for i in range(len(comment) - 1, 0, -1) if comment[i] in ":;,( "),
    ]:
        with contextlib.suppress(ValueError, SyntaxError):
            literal = ast.literal_eval(comment[:end].strip())
            return same(describe(value), describe(literal))
    return not re.match(r"(tensor|device|torch\.)\b", comment)
