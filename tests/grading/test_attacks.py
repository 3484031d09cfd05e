"""Submissions that attack the grader go through the real path; none gets more than it earned.

The files in attacks/ hold them by what they attack. Each begins with `# ==== KEY`, and has a
header in TOML, and cells after it. `# %% NAME` is the answer to an exercise, `# %% before NAME`,
`after NAME` and `end` are cells of the attack's own, and `# %% tamper` runs on the attacker's
machine, with the `notebook` as JSON and the `folder` that is handed in; it may set `raw`, the text
of the file, or `link`, where the file only points to.

    name, goal (forge | steal | harm | next student | feedback page | game the tests), attacks
    assignment     "02_tensors" unless it says another one
    honest         exercises that it solves, which keep their points
    held_ok        whether these may be held as well, because the attack breaks its own notebook
    forges         exercises whose facts it may forge, since it brings what they must be
    flagged        whether lines of it must be named; they must wherever something forged is paid
    twice          whether it is graded twice, because it leaves something for the next one
    slow           why it takes long to be stopped
"""

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import courses
import psutil
import pytest
from courses import ASSIGNMENTS, ROOT, filled_in, full_points, has_its_due, references
from written import Cells, read_written, with_own

from course_grading.executor import JudgeProcess
from course_grading.hidden import hidden_cases
from course_grading.job import GradingSettings, TimeLimits
from course_grading.results import Graded
from course_grading.run.course import ReleasedAssignment
from course_grading.run.submissions import SubmittedFolder
from course_grading.sandbox import Level, Limits, probe
from course_notebooks.source import source_notebook

SEED = "CANARY-of-the-seed"
GOALS = {"forge", "steal", "harm", "next student", "feedback page", "game the tests"}
LIMITS = Limits(cpu_seconds=8)
TIMES = TimeLimits(
    cell=2, patience=4 / 30, letting_go=4
)  # what waits for ever is ended all the same
LEFT_BEHIND = ("escape*", "LEAKED*", "left_behind*", "much-*", "many-*", "easy.pth")
SHARED_FOLDERS = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.home())


@dataclass(frozen=True)
class Attack:
    """One attack of attacks/."""

    key: str
    name: str
    goal: str
    attacks: str
    assignment: str = "02_tensors"
    honest: tuple[str, ...] = ()
    held_ok: bool = False
    forges: tuple[str, ...] = ()
    flagged: bool = False
    twice: bool = False
    slow: str = ""
    cells: Cells = field(default=(), repr=False)

    @property
    def id(self) -> str:
        """Begins with what it shares with others: a judge, or that it takes long."""
        return f"{'slow' if self.slow else self.assignment}-{self.key}"

    @classmethod
    def read(cls, key: str, header: dict[str, Any], cells: Cells) -> "Attack":
        lists = {key: tuple(header.pop(key, ())) for key in ("honest", "forges")}
        return cls(key, **header, **lists, cells=cells)

    def hand_in(self, course: Path, student: str = "mallory") -> SubmittedFolder:
        """Put it into submitted/, filled into the released notebook."""
        folder = course / "submitted" / student / self.assignment
        folder.mkdir(parents=True)
        answers = {
            short: text
            for short, text in references(self.assignment).items()
            if short in self.honest
        }
        notebook = filled_in(self.assignment, answers | dict(self.cells))
        notebook["cells"] = list(with_own(notebook["cells"], self.cells))
        names: dict[str, Any] = {"notebook": notebook, "folder": folder, "raw": "", "link": ""}
        for place, text in self.cells:
            if place == "tamper":
                exec(compile(text, self.key, "exec"), names)
        handed_in = folder / f"{self.assignment}.ipynb"
        if names["link"]:
            handed_in.symlink_to(names["link"])
        else:
            handed_in.write_text(names["raw"] or json.dumps(names["notebook"]), encoding="utf-8")
        return SubmittedFolder(student, folder)


ATTACKS = [Attack.read(*each) for each in read_written(Path(__file__).with_name("attacks"))]
FEW = {  # two or three of each goal, of one assignment; all others are left to `make test-more`
    "a_reference_that_is_changed",
    "answers_by_position",
    "answers_left_behind",
    "describe_patched",
    "disk_without_end",
    "frames_by_an_exception",
    "inputs_changed_to_fit",
    "libraries_rewritten",
    "link_to_the_gradebook",
    "markdown_that_imitates",
    "out_of_the_sandbox",
    "points_of_a_thousand",
    "scripts_in_outputs",
    "seed_in_a_file",
}
EACH = pytest.mark.parametrize(
    "attack",
    [
        pytest.param(each, id=each.id, marks=() if each.key in FEW else pytest.mark.more)
        for each in ATTACKS
    ],
)


def released(assignment: str) -> ReleasedAssignment:
    return courses.released_assignment(assignment)


def make_course(root: Path) -> Path:
    """A course with what an attack would like to have."""
    (root / ".grading_seed").write_text(SEED)
    (root / "gradebook.db").write_text("CANARY-of-the-gradebook")
    for name, assignment in ASSIGNMENTS.items():
        place = root / "source" / name
        place.mkdir(parents=True)
        (place / f"{name}.ipynb").write_bytes(source_notebook(ROOT, assignment).read_bytes())
    return root


def honest(assignment: str, course: Path, student: str) -> SubmittedFolder:
    shorts = tuple(full_points(assignment))
    attack = Attack("none", "none", "none", "nothing", assignment=assignment, honest=shorts)
    return attack.hand_in(course, student)


def test_there_are_attacks_of_every_kind():
    assert len({attack.key for attack in ATTACKS}) == len(ATTACKS) >= 60
    assert {attack.goal for attack in ATTACKS} == GOALS
    for attack in ATTACKS:
        shorts = set(full_points(attack.assignment))
        places = {place.split()[-1] for place, _ in attack.cells} - {"tamper", "end"}
        assert places | {*attack.honest} | {*attack.forges} <= shorts, attack.key
        assert not {*attack.honest} & {place for place, _ in attack.cells}, attack.key


# From here on attacks run, and nothing but a sandbox stands between them and this machine.


@pytest.fixture(scope="module")
def level() -> Level:
    found = probe()
    if found.level < Level.NO_CGROUPS:
        pytest.skip(f"attacks are run in namespaces only: {' '.join(found.lacks)}")
    return found.level


@pytest.fixture(scope="module")
def judges(level: Level) -> Iterator[dict[str, JudgeProcess]]:
    """A judge for each assignment, started when it is first asked for."""

    class Judges(dict[str, JudgeProcess]):
        def __missing__(self, assignment: str) -> JudgeProcess:
            self[assignment] = JudgeProcess(
                GradingSettings(hidden_cases(assignment, SEED), level, LIMITS, TIMES)
            )
            return self[assignment]

    found = Judges()
    yield found
    for judge_process in found.values():
        judge_process.close()


def left_behind() -> set[Path]:
    return {path for place in SHARED_FOLDERS for name in LEFT_BEHIND for path in place.glob(name)}


def running(judge_process: JudgeProcess) -> set[int]:
    """The processes of a judge; between two submissions: the judge and its warm worker."""
    judge = psutil.Process(judge_process.pid)
    return {judge.pid, *(each.pid for each in judge.children(recursive=True))}


def survivors() -> list[str]:
    """Processes of attacks that nobody's judge has below it: another test may be running one."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess):
            arguments = process.cmdline()
            line = " ".join(arguments)
            # A whole argument: the random numbers that a browser is started with may contain it.
            if ("SURVIVOR" in line or "86399" in arguments) and not is_judged(process):
                found.append(line)
    return found


def is_judged(process: psutil.Process) -> bool:
    return any("course_grading" in " ".join(each.cmdline()) for each in process.parents())


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {str(path): path.read_bytes() for path in files if path.stat().st_size < 1 << 20}


def paid(graded: Graded) -> dict[str, float | None]:
    return {each.exercise.partition(".")[2]: each.points for each in graded.verdicts}


@pytest.mark.slow
@EACH
def test_an_attack_gets_what_it_earned(attack, judges, tmp_path):
    course = make_course(tmp_path)
    honest(attack.assignment, course, "ada")
    submission = attack.hand_in(course)
    before, others = contents(course), left_behind()
    judge_process = judges[attack.assignment]
    for _ in range(1 + attack.twice):
        prepared = submission.prepare(released(attack.assignment))
        graded = prepared.completed(judge_process.grade(prepared.job))
        forged = any(paid(graded)[short] for short in attack.forges)
        assert graded.flags or not (attack.flagged or forged)
        check_points(attack, graded)
        check_messages(graded)
    assert contents(course) == before
    assert left_behind() - others == set()
    assert survivors() == []
    assert len(running(judge_process)) == 2
    if attack.goal in ("harm", "next student"):
        grade_honest(attack.assignment, judge_process, course)


def check_points(attack: Attack, graded: Graded) -> None:
    most = full_points(attack.assignment)
    found = paid(graded)
    assert found.keys() == most.keys()
    for short, points in found.items():
        why = next(each for each in graded.verdicts if each.exercise.endswith(f".{short}"))
        if short in attack.honest:
            fair = points == most[short] or (attack.held_ok and points is None)
            assert fair, f"{short} was solved, and got {why}"
        elif short not in attack.forges:
            assert not points, f"{short} was not solved, and got {why}"


def check_messages(graded: Graded) -> None:
    for verdict in graded.verdicts:
        for text in (verdict.text, verdict.html):
            assert "LEAKED" not in text and "CANARY" not in text
        assert not re.search(r"<(?!/?(?:div|p|b|code|details|summary|pre)\b)", verdict.html)
    assert SEED not in graded.to_json()


def grade_honest(assignment: str, judge_process: JudgeProcess, course: Path) -> None:
    submission = SubmittedFolder("ada", course / "submitted" / "ada" / assignment)
    prepared = submission.prepare(released(assignment))
    graded = prepared.completed(judge_process.grade(prepared.job))
    assert has_its_due(graded), graded
    assert not graded.flags
