"""`course project --why`: a line of one's own is changed, and what happens is what was run."""

import ast
import io
import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from course_command import console
from course_command import main as cli
from course_command.console import Console
from course_utils.checking.record import LearnerRecord
from course_utils.errors import CourseError
from course_utils.program.holes import after, parts
from course_workspace.program.changed_runs import ERROR, SILENT, SLOWER
from course_workspace.program.filling import fill
from course_workspace.program.ledger import Ledger
from course_workspace.program.mutants import changed_lines
from course_workspace.program.own_lines import CHOICES, QUESTIONS, ask, own_lines

OWN = after("11")["train.py"]
CELL = '''\
import torch

MOST = 4  # ≤ 4, “at most”


def pick_device(wanted: str = "cpu") -> "torch.device":
    """The docstring stays: 7 < 8 and "cpu"."""
    if wanted == "auto" and not torch.cuda.is_available():
        wanted = "cpu"
    with torch.no_grad():
        torch.zeros(1).cuda(non_blocking=True)
    if len(wanted) < MOST: raise ValueError(f"{wanted == 'é'} 1")
    return torch.device(wanted)


print(pick_device("cpu"))
'''


def changes(cell: str) -> set[tuple[str, str]]:
    return {(change.before, change.after) for change in changed_lines(cell)}


def test_each_change_is_one_line_of_what_is_defined():
    head = "pick_device(wanted: str"
    condition = 'if wanted == "auto" and not torch.cuda.is_available():'
    limit = "if len(wanted) < MOST: raise ValueError(f\"{wanted == 'é'} 1\")"
    assert changes(CELL) == {
        ("MOST = 4  # ≤ 4, “at most”", "MOST = 5  # ≤ 4, “at most”"),
        ('wanted = "cpu"', "wanted = 'cuda'"),
        (f'def {head} = "cpu") -> "torch.device":', f"def {head} = 'cuda') -> \"torch.device\":"),
        ("with torch.no_grad():", "if True:"),
        ("torch.zeros(1).cuda(non_blocking=True)", "pass"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(1)"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(1).cuda()"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(1).cuda(non_blocking=False)"),
        ("torch.zeros(1).cuda(non_blocking=True)", "torch.zeros(2).cuda(non_blocking=True)"),
        (condition, "if wanted != 'auto' and not torch.cuda.is_available():"),
        (condition, "if (wanted == 'auto' or not torch.cuda.is_available()):"),
        (condition, 'if not (wanted == "auto" and not torch.cuda.is_available()):'),
        (limit, limit.replace("<", "<=")),
        (limit, limit.replace("len(wanted) < MOST", "MOST < len(wanted)")),
    }


@pytest.mark.parametrize("name", ["pick_device", "batches_ahead", "save", "resume"])
def test_a_change_leaves_all_else_as_it_was_written(name):
    cell = parts(OWN)[name] + "\n"
    found = changed_lines(cell)
    assert len(found) >= 4
    for change in found:
        assert ast.dump(ast.parse(change.cell)) != ast.dump(ast.parse(cell))
        unlike = [
            (old, new)
            for old, new in zip(cell.splitlines(), change.cell.splitlines(), strict=True)
            if old != new
        ]
        assert [(old.strip(), new.strip()) for old, new in unlike] == [
            (change.before, change.after)
        ]
    assert len({change.cell for change in found}) == len(found)


def test_what_lessons_warn_of_comes_first():
    lines = [change.before for change in changed_lines(parts(OWN)["batches_ahead"])]
    first = lines[:4]
    assert len(set(first)) == 4
    assert any("wait_stream" in line for line in first)
    assert any("record_stream" in line for line in first)
    assert len(set(lines[: len(set(lines))])) == len(set(lines))


# ---------------------------------------------------------------- the questions


@pytest.fixture
def workspace(delivered, tmp_path, monkeypatch) -> Path:
    """One in which `pick_device` has passed."""
    shutil.copytree(delivered, tmp_path, dirs_exist_ok=True)
    cell = f"import sys\n\nimport torch\n\n\n{parts(OWN)['pick_device']}\n"
    fill(tmp_path, "machine.pick_device", cell)
    monkeypatch.setenv("COURSE_WORKSPACE", str(tmp_path))
    return tmp_path


@pytest.mark.more
@pytest.mark.slow
def test_nothing_is_asked_before_something_has_passed(delivered):
    assert own_lines(Ledger.read(delivered), LearnerRecord(delivered)) == []
    with pytest.raises(CourseError, match="No part of yours has passed yet"):
        ask(delivered, Console())


@pytest.mark.more
@pytest.mark.slow
def test_what_was_asked_comes_last(workspace):
    learner = LearnerRecord(workspace)
    first, *others = own_lines(Ledger.read(workspace), learner)
    learner.add("own-line", "pick_device", change=first.text, chosen=ERROR, happened=ERROR)
    again = own_lines(Ledger.read(workspace), learner)
    assert [line.text for line in again] == [line.text for line in (*others, first)]


@pytest.mark.more
@pytest.mark.slow
def test_five_questions_are_asked_and_what_happened_is_told(workspace, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["course", "project", "--why"])
    console.console.__init__()
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n9\n" + "2\n" * 9))
    doing: list[str] = []
    monkeypatch.setattr(Console, "doing", lambda self, what, **_: doing.append(what))
    with pytest.raises(SystemExit) as end:
        cli.run()
    out = capsys.readouterr().out
    assert end.value.code == 0
    first, *cases = doing
    assert len(cases) >= QUESTIONS and first == "Changing a line of yours and running it"
    assert all(re.match(r"Running your changed pick_device: case \d+ of ", case) for case in cases)
    events = LearnerRecord(workspace).events("own-line", "pick_device")
    assert len({event["change"] for event in events}) == len(events) == QUESTIONS
    assert all(event["chosen"] == list(CHOICES)[1] for event in events)
    right = [event for event in events if event["happened"] == ERROR]
    assert f"You were right {len(right)} of {QUESTIONS} times." in out
    assert out.count("✓ Yes: it stops with an error.") == len(right) >= 2
    assert {event["happened"] for event in events} >= {ERROR, SILENT, SLOWER}
    for event in events:
        before, after = event["change"].split("\n→ ")
        assert re.search(rf"^ +- +{re.escape(before)}\n +\+ +{re.escape(after)}$", out, re.M)
    assert "The program noticed only in use that this GPU does not exist." in out


@pytest.mark.more
@pytest.mark.slow
def test_whoever_leaves_leaves_nothing_running(workspace, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["course", "project", "--why"])
    console.console.__init__()
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with pytest.raises(SystemExit) as end:
        cli.run()
    assert end.value.code == 1 and "1 of 5" in capsys.readouterr().out
    running = []
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # another one, which has ended since
            running.append(child.cmdline())
    assert not any("course_workspace.program.changed_runs" in words for words in running)
    assert LearnerRecord(workspace).events("own-line") == []
