"""The broken program of a task: it runs here, and must fail with the error that the task shows."""

import re
from collections.abc import Iterator

from exercise_kit.check import check
from exercise_kit.contract import Raise
from exercise_kit.corpus import load_answer
from exercise_kit.folder import Exercise
from exercise_kit.reference import has_reference, to_be_fixed

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""A code block in Markdown: its language and its content."""


def given(exercise: Exercise) -> list[str]:
    """The programs to fix: from answer.py, or the blocks of task.md that define the function.

    Empty if the exercise has no program to fix. More than one is an author's mistake.
    """
    if has_reference(exercise.path) and (program := to_be_fixed(exercise.path)):
        return [program]
    blocks = BLOCK.findall((exercise.path / "task.md").read_text(encoding="utf-8"))
    return [text for _, text in blocks if f"def {exercise.short}(" in text]


def given_problems(exercise: Exercise) -> Iterator[str]:
    """Messages on problems of the program to fix, if there is one."""
    task, programs = exercise.path / "task.md", given(exercise)
    if not programs:
        return
    if len(programs) > 1:
        yield f"{task} shows {len(programs)} programs that define {exercise.short}. Show only one."
        return
    blocks = BLOCK.findall(task.read_text(encoding="utf-8"))
    answer = load_answer(programs[0], exercise.short, f"<{task}>")
    report, runner = check(exercise, answer)
    if report.passed:
        yield f"the program of {task} passes the check. Show a program with a fault."
    shown = [text for language, text in blocks if language == "text"]
    seen = runner(exercise.public_cases[0])
    if isinstance(seen, Raise) and not any(f"{seen.type}: {seen.text}" in text for text in shown):
        yield (
            f"{task} does not show the error of its program in the first case. Add a block "
            f"```text with `{seen.type}: {seen.text}`."
        )
    elif shown and not isinstance(seen, Raise):
        yield f"{task} shows an error, but its program raises none in the first case. Remove it."
