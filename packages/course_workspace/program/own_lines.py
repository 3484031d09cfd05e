"""`course project --why`: questions on what happens if a line of the learner's is changed."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import unified_diff
from itertools import chain, islice, zip_longest
from pathlib import Path

import typer

from course_command.console import Console
from course_utils.checking.record import LearnerRecord
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_utils.program.holes import HOLES, Hole
from course_workspace.program.changed_runs import ERROR, HANG, NOTHING, SILENT, SLOWER
from course_workspace.program.family import end_family
from course_workspace.program.ledger import Ledger
from course_workspace.program.mutants import ChangedLine, changed_lines

QUESTIONS = 5
_TRIED = 20  # changes that are run, at most
_KIND = "own-line"

CHOICES = {
    HANG: "it does not end",
    ERROR: "it stops with an error",
    SILENT: "it runs on without an error, and something is wrong",
    SLOWER: "it does the same, and takes longer",
    NOTHING: "no difference can be seen",
}


@dataclass(frozen=True)
class OwnLine:
    """A change of a line that a learner wrote for a part, with the whole cell before it."""

    hole: Hole
    cell: str
    change: ChangedLine

    @property
    def text(self) -> str:
        """The line before and after the change."""
        return f"{self.change.before}\n→ {self.change.after}"

    def diff(self) -> list[str]:
        """The change as a diff, with two lines of context."""
        before, after = self.cell.splitlines(), self.change.cell.splitlines()
        return list(unified_diff(before, after, n=2, lineterm=""))[3:]


def ask(workspace: Path, console: Console) -> None:
    """Ask five questions in the terminal, and save the answers in the learner's record.

    Raises CourseError if nothing has passed yet.
    """
    learner = LearnerRecord(workspace)
    lines = own_lines(Ledger.read(workspace), learner)
    if not lines:
        raise CourseError("No part of yours has passed yet. `course project` shows the next one.")
    asked = right = 0
    console.say(
        "A line of yours is changed, and the cases of its exercise are run. What happens first?"
    )
    console.doing("Changing a line of yours and running it")
    with _happenings(lines, console) as happenings:
        pairs = islice(_varied(zip(lines, happenings, strict=False)), QUESTIONS)
        for asked, (line, happening) in enumerate(pairs, start=1):
            console.say(f"\n{asked} of {QUESTIONS}: `{line.hole.name}` in your program")
            for row in line.diff():
                console.say(f"    {row}")
            right += _put(line, happening, learner, console)
    console.pause()
    if not asked:
        raise CourseError(
            "No changed line could be run. Run `course doctor` to check this machine."
        )
    console.say(f"\nYou were right {right} of {asked} times.")


def own_lines(ledger: Ledger, learner: LearnerRecord) -> list[OwnLine]:
    """The changes to ask about, from each part in turn; first those that were not asked yet."""
    known = {exercise.name for exercise in load_manifest().exercises}
    before = {event.get("change") for event in learner.events(_KIND)}
    each: list[list[OwnLine]] = []
    for exercise in dict.fromkeys(hole.exercise for hole in HOLES if hole.exercise in known):
        holes = [hole for hole in HOLES if hole.exercise == exercise]
        passed = [part for hole in holes if (part := ledger.passed(hole.name))]
        if len(passed) == len(holes):
            cell = "\n\n\n".join([passed[0].cell, *(part.text for part in passed[1:])])
            each.append([OwnLine(holes[0], cell, change) for change in changed_lines(cell)])
    mixed = [line for line in chain(*zip_longest(*each)) if line is not None]
    return sorted(mixed, key=lambda line: line.text in before)[:_TRIED]


def _varied(
    pairs: Iterable[tuple[OwnLine, dict[str, str]]],
) -> Iterator[tuple[OwnLine, dict[str, str]]]:
    """The lines with their outcomes, in an order with each kind of outcome at most twice at first.

    An outcome without a difference comes once. A change that could not be run is left out.
    """
    met: Counter[str] = Counter()
    later = []
    for line, happening in pairs:
        kind = happening["kind"]
        if kind not in CHOICES:
            continue
        met[kind] += 1
        if met[kind] > (1 if kind == NOTHING else 2):
            later.append((line, happening))
        else:
            yield line, happening
    yield from later


@contextmanager
def _happenings(lines: Sequence[OwnLine], console: Console) -> Iterator[Iterator[dict[str, str]]]:
    """The outcomes of the changed lines, run in another process while the learner thinks.

    If the learner has to wait, the console shows the case that is running.
    """
    asked = [[line.hole.exercise, line.hole.name, line.cell, line.change.cell] for line in lines]
    command = [sys.executable, "-m", "course_workspace.program.changed_runs"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        assert process.stdin and process.stdout
        try:
            process.stdin.write(json.dumps(asked))
            process.stdin.close()
            yield _outcomes(process.stdout, console)
        finally:
            end_family(process)


def _outcomes(lines: Iterable[str], console: Console) -> Iterator[dict[str, str]]:
    for line in lines:
        outcome: dict[str, str] = json.loads(line)
        if "doing" in outcome:
            console.doing(outcome["doing"], brief=True)
        else:
            yield outcome


def _put(
    line: OwnLine, happening: dict[str, str], learner: LearnerRecord, console: Console
) -> bool:
    """Ask one question. Returns whether the answer is right."""
    for number, words in enumerate(CHOICES.values(), start=1):
        console.say(f"    {number}  {words}")
    number = 0
    while not 1 <= number <= len(CHOICES):
        number = typer.prompt(f"Your answer, 1 to {len(CHOICES)}", type=int)
    chosen, kind = list(CHOICES)[number - 1], happening["kind"]
    learner.add(_KIND, line.hole.name, change=line.text, chosen=chosen, happened=kind)
    lead = "✓ Yes:" if chosen == kind else "✗ No:"
    title = happening["title"]
    console.say(f"{lead} {CHOICES[kind]}. {title[:1].upper()}{title[1:]}.")
    for text in (happening["why"], happening["seen"] and f"Seen: {happening['seen']}"):
        if text:
            console.say(f"  {text}")
    return chosen == kind
