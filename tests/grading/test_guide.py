"""The instructor's guides: the commands run as they stand, on a small class; the sums are right."""

import csv
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from courses import ROOT, filled_in, full_points, references
from markdown_it import MarkdownIt
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties

from course_grading.run.course import NbgraderCourse
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest

GUIDES = ROOT / "site" / "guides"
COURSE = load_manifest(ROOT / "course.toml")
ASSIGNMENT, CLASS = "03_modules", "gpus-2026"
FULL = sum(full_points(ASSIGNMENT).values())


@dataclass(frozen=True)
class Block:
    """A fenced block. mark: the comment above it. shown: what the guide says one sees then."""

    language: str
    text: str
    mark: str
    shown: str


def blocks(guide: Path) -> Iterator[Block]:
    tokens = MarkdownIt().parse(guide.read_text(encoding="utf-8"))
    for number, token in enumerate(tokens):
        if token.type == "fence" and token.info != "text":
            above = tokens[number - 1] if number else None
            mark = above.content.strip("<!-> \n") if above and above.type == "html_block" else ""
            below = tokens[number + 1] if number + 1 < len(tokens) else None
            shown = below.content if below and (below.type, below.info) == ("fence", "text") else ""
            yield Block(token.info, token.content, mark, shown)


class Machine:
    """A folder that stands for the machine of the guide: its /srv, its homes, its environment."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        self.course = self.home / CLASS
        software = folder / "srv" / "on_the_right_device"
        settings = software / ".venv" / "etc" / "jupyter"
        for each in (self.home, settings, software / ".venv" / "bin"):
            each.mkdir(parents=True)
        (software / "assignments").symlink_to(ROOT / "assignments")
        (software / ".venv" / "bin" / "activate").write_text(
            f'export PATH="{Path(sys.executable).parent}:$PATH"\n'
        )
        self._environment = {
            **os.environ,
            "JUPYTER_CONFIG_PATH": str(settings),
            "USER": "prof",
            "VIRTUAL_CUDA_HELPER": "off",  # it would be built anew for this home
        }

    def run(self, block: Block, *, student: str = "") -> str:
        """As the instructor in the class's folder, or as a student in another; what is said."""
        home = self.folder / "students" / student if student else self.home
        place = self.course if self.course.is_dir() and not student else home
        place.mkdir(parents=True, exist_ok=True)
        commands = block.text.replace("/srv/", f"{self.folder}/srv/")
        if student:  # who in this test are one user of the machine
            commands = commands.replace(f" {ASSIGNMENT}", f" {ASSIGNMENT} --student {student}")
        activate = f"source {self.folder}/srv/on_the_right_device/.venv/bin/activate"
        script = f'set -eo pipefail\nsudo() {{ "$@"; }}\n{activate}\n{commands}'
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=place,
            text=True,
            capture_output=True,
            env={**self._environment, "HOME": str(home)},
        )
        said = done.stdout + done.stderr
        held = commands.startswith("course grade") and done.returncode == 3
        assert done.returncode == 0 or held, f"{block.text}\n{said}"
        for line in block.shown.splitlines():
            assert re.search(pattern(line), said), f"{line!r} was not said:\n{said}"
        return said


def pattern(line: str) -> str:
    """Of a line in the guide: … stands for anything, and a number for any number."""
    return re.sub(r"\d+", r"\\d+", re.escape(line).replace("…", ".*"))


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.timeout(1800)  # two minutes where nothing else runs
def test_a_class_by_the_guide_alone(tmp_path):
    machine, text = Machine(tmp_path), (GUIDES / "instructors.md").read_text(encoding="utf-8")
    right, name = references(ASSIGNMENT), f"{ASSIGNMENT}.ipynb"
    as_text = filled_in(ASSIGNMENT, right)
    lost = COURSE.assignment(ASSIGNMENT).exercises[0]
    for cell in as_text["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == lost.short:
            cell.update(cell_type="markdown", source="I would look at every parameter.")
            del cell["outputs"], cell["execution_count"]

    def write_the_roster() -> None:
        (roster,) = re.findall(r"^id,first_name.*?(?=^```)", text, re.MULTILINE | re.DOTALL)
        if machine.course.is_dir():  # not for the trial of ten minutes, which brings its own
            (machine.course / "roster.csv").write_text(roster, encoding="utf-8")

    def work() -> None:
        (tmp_path / "students" / "ada" / ASSIGNMENT / name).write_text(json.dumps(as_text))

    def download() -> None:
        with zipfile.ZipFile(machine.home / "canvas.zip", "w") as archive:
            for answers, whose in ((right, "müllerzoë_1004_50004"), ({}, "王小明_1003_50003")):
                archive.writestr(f"{whose}_{name}", json.dumps(filled_in(ASSIGNMENT, answers)))

    def give_points_by_hand() -> None:
        with Gradebook(f"sqlite:///{machine.course}/gradebook.db", CLASS) as book:
            grade = book.find_grade(f"{lost.short}_check", ASSIGNMENT, ASSIGNMENT, "ada")
            assert grade.needs_manual_grade and grade.auto_score is None
            grade.manual_score, grade.needs_manual_grade = 1, False
            book.db.commit()

    before: dict[str, Callable[[], None]] = {
        "student import": write_the_roster,
        "nbgrader submit": work,
        "course intake": download,
        "--only-held": give_points_by_hand,
    }
    said = {}
    for block in blocks(GUIDES / "instructors.md"):
        if block.language != "sh" or block.mark.startswith("not run: "):
            continue
        for command, prepare in before.items():
            if command in block.text:
                prepare()
        student = "ada" if block.mark == "student" else ""
        said[block.text.strip()] = machine.run(block, student=student)

    with (machine.home / "trial" / "grades.csv").open(newline="", encoding="utf-8") as file:
        trial = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert trial == {"ada": COURSE.assignment("02_tensors").points, "ben": 0, "chen": 0}
    assert "Held for you" not in said[f"course grade {ASSIGNMENT} --only-held"]
    with (machine.course / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    scores = {student: float(row["score"]) for student, row in rows.items() if row["score"]}
    assert scores == {"ada": FULL - lost.points + 1, "xmwang": 0, "zmueller": FULL}
    assert rows["jgarcia"]["score"] == ""  # who handed in nothing
    assert (rows["xmwang"]["last_name"], rows["xmwang"]["first_name"]) == ("王", "小明")
    report = machine.course / "reports" / ASSIGNMENT / f"{ASSIGNMENT}.csv"
    assert '\nxmwang,"王, 小明",' in report.read_text(encoding="utf-8").replace("\r", "")
    assert float(rows["ada"]["late_submission_penalty"]) == 0
    for student in ("ada", "xmwang", "zmueller"):
        page = (machine.course / "give_back" / f"{student}.html").read_text(encoding="utf-8")
        assert f"{scores[student]:g} of {COURSE.assignment(ASSIGNMENT).points}" in page
    released = (machine.folder / "srv" / "exchange" / CLASS / "feedback").iterdir()
    given_back = (machine.course / "give_back" / "ada.html").read_text(encoding="utf-8")
    assert given_back in {page.read_text(encoding="utf-8") for page in released}


@pytest.mark.slow
@pytest.mark.more
def test_the_rule_for_late_work(release, tmp_path):
    (rule,) = (
        block.text
        for block in blocks(GUIDES / "instructors.md")
        if "late_submission_penalty" in block.text
    )
    course = release(tmp_path / "course", ASSIGNMENT)
    course.hand_in("ada", {})
    settings = course.root / "nbgrader_config.py"
    ours = settings.read_text(encoding="utf-8")
    settings.write_text(f"{ours}\n{rule}", encoding="utf-8")
    penalties = AssignLatePenalties(config=NbgraderCourse.open(course.root).config)
    penalties.init_plugin()
    taken_off = penalties.plugin_inst.late_submission_penalty
    assert [taken_off("ada", 5, seconds) for seconds in (1, 86400, 1e9)] == [1, 2, 5]
    settings.write_text(f'{ours}\nc.AssignLatePenalties.plugin_class = "nowhere.Rule"')
    with pytest.raises(CourseError, match="names a rule for late work"):
        course.grade()


def test_every_command_of_the_guide_runs_or_says_why_not():
    found = list(blocks(GUIDES / "instructors.md"))
    marks = {block.mark for block in found if block.language == "sh" and block.mark}
    assert all(re.fullmatch(r"student|not run: \S.*", mark) for mark in marks), marks
    assert sum(block.language == "sh" and not block.mark for block in found) > 10


def test_each_syllabus_fills_its_hours_and_leaves_out_no_prerequisite():
    """That its numbers are right, `course build` sees to."""
    text = (GUIDES / "syllabi.md").read_text(encoding="utf-8")
    hours = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        hours.append(int(section.split()[0]))
        (minutes,) = re.findall(r"\*\*together: (\d+) minutes\*\*", section)
        assert 0.95 * 60 * hours[-1] <= int(minutes) <= 60 * hours[-1]
        taken = set(re.findall(r"^\| (\d\d) ", section, re.MULTILINE))
        assert all(taken.issuperset(COURSE.lesson(number).prerequisites) for number in taken)
    assert hours == [2, 4, 8, 16]
