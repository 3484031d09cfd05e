"""Programs that a task shows are run: one to be repaired must fail, and with the error shown."""

import re
from collections.abc import Iterator

from course_utils.authoring.corpus import load_answer
from course_utils.checking.beside import Beside
from course_utils.checking.contract import Raise
from course_utils.checking.engine import examine, public_cases
from course_utils.checking.exercises import ExerciseFolder
from course_utils.manifest import Exercise

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def given_problems(exercise: Exercise, parts: ExerciseFolder) -> Iterator[str]:
    """What is wrong with the program that task.md shows, for the kinds "repair" and "mend"."""
    if exercise.kind not in ("repair", "mend"):
        return
    task = parts.path / "task.md"
    blocks = _BLOCK.findall(task.read_text(encoding="utf-8"))
    given = [code for kind, code in blocks if kind == "python" and f"def {parts.short}(" in code]
    if len(given) != 1:
        yield f"{task} must show one program that defines {parts.short}: the one to be mended."
        return
    answer = load_answer(given[0], parts.short, f"<{task}>")
    beside = Beside(parts.observer, answer)
    if examine(parts.name, parts.judge, beside).passed:
        yield f"the program in {task} passes the check: show one that has to be mended."
    if exercise.kind == "mend":
        seen = beside(public_cases(parts.name, parts.judge)[0])
        said = f"{seen.type}: {seen.text}" if isinstance(seen, Raise) else "no exception"
        shown = [text for kind, text in blocks if kind == "text"]
        if not any(said in text for text in shown):
            yield (
                f"{task} must show, in a block ```text, the error that its program raises in "
                f"the first case; that is `{said}`."
            )
