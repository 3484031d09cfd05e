"""Programs that a task shows are run: one to be fixed must fail, and with the error shown."""

import re
from collections.abc import Iterator

from exercise_kit.check import check
from exercise_kit.contract import Raise
from exercise_kit.corpus import load_answer
from exercise_kit.folder import Exercise
from exercise_kit.reference import has_reference, to_be_fixed

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""A block of code in a Markdown text: its language, and what stands in it."""


def given(exercise: Exercise) -> list[str]:
    """The programs to be fixed: that of answer.py, or those of task.md that define the function.

    One, if there is anything to be fixed.
    """
    if has_reference(exercise.path) and (program := to_be_fixed(exercise.path)):
        return [program]
    blocks = BLOCK.findall((exercise.path / "task.md").read_text(encoding="utf-8"))
    return [text for _, text in blocks if f"def {exercise.short}(" in text]


def given_problems(exercise: Exercise) -> Iterator[str]:
    """What is wrong with the program that is to be fixed, if there is one."""
    task, programs = exercise.path / "task.md", given(exercise)
    if not programs:
        return
    if len(programs) > 1:
        yield f"{task} shows {len(programs)} programs that define {exercise.short}: show one."
        return
    blocks = BLOCK.findall(task.read_text(encoding="utf-8"))
    answer = load_answer(programs[0], exercise.short, f"<{task}>")
    report, runner = check(exercise, answer)
    if report.passed:
        yield f"the program of {task} passes the check: show one that has to be fixed."
    shown = [text for language, text in blocks if language == "text"]
    seen = runner(exercise.public_cases[0])
    if isinstance(seen, Raise) and not any(f"{seen.type}: {seen.text}" in text for text in shown):
        yield (
            f"{task} must show, in a block ```text, the error that its program raises in "
            f"the first case; that is `{seen.type}: {seen.text}`."
        )
    elif shown and not isinstance(seen, Raise):
        yield f"{task} shows an error, and its program raises none in the first case: leave it out."
