"""What passes goes into the learner's program, a commit for each part; what they wrote by hand
stays. The repository is a real one, in a workspace as `course lab` makes it."""

import errno
import json
import linecache
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from course_notebooks import safe_files as writing
from course_utils.checking import practice, record
from course_utils.manifest import repository_root
from course_utils.program.holes import FILES, HOLES, early, parts
from course_workspace.deliver import prepare
from course_workspace.program import filling
from course_workspace.program.filling import fill, states
from tests.kept import only

pytestmark = pytest.mark.slow  # a workspace is made first

ROOT = repository_root()
OURS = "On the Right Device"
PICK = '''\
import torch


def pick_device(wanted):
    """The device that is called `wanted`; for "auto", the accelerator, or else the CPU."""
    return torch.device("cpu" if wanted == "auto" else wanted)
'''
SAVE = '''\
import os

import torch

SPARE = ".spare"


def save(path, state):
    """Let `path` hold `state`; whenever this is killed, it holds the old state or the new one."""
    torch.save(state, f"{path}{SPARE}")
    os.replace(f"{path}{SPARE}", path)


def resume(path, model, optimizer, settings):
    """Go on from the checkpoint `path`, if there is one; returns the log of its epochs."""
    return torch.load(path)["log"] if path.exists() else []
'''


@pytest.fixture
def home(delivered, tmp_path) -> Path:
    """The folder of the program, in a workspace of its own."""
    shutil.copytree(delivered, tmp_path / "workspace")
    return tmp_path / "workspace" / "project"


def passed(home: Path, cell: str = PICK, exercise: str = "machine.pick_device") -> str:
    return "\n".join(fill(home.parent, exercise, cell))


def git(home: Path, *words: str) -> str:
    identity = ("-c", "user.name=me", "-c", "user.email=me@home")
    return subprocess.check_output(["git", *identity, *words], cwd=home, text=True).strip()


def log(home: Path) -> list[str]:
    """The commits, the latest first."""
    return git(home, "log", "--format=%an: %s").splitlines()


def part(home: Path, name: str, file: str = "train.py") -> str:
    return parts((home / file).read_text())[name]


def edit(home: Path, old: str, new: str, file: str = "train.py") -> None:
    text = (home / file).read_text()
    assert old in text
    (home / file).write_text(text.replace(old, new))


def origins(home: Path) -> dict[str, str]:
    return {state.hole.name: state.origin for state in states(home.parent)}


BEGUN = f"{OURS}: The program as the course gives it"
PASSED = f"{OURS}: pick_device: passed in lesson 01"
BY_HAND = f"{OURS}: Changed since, by hand or by an update"

# ---------------------------------------------------------------- the workspace


def test_a_new_workspace_has_the_early_program_in_a_repository(home):
    assert {name: (home / name).read_text() for name in early()} == early()
    assert sorted(path.name for path in home.iterdir()) == [".git", "shapes.py", "train.py"]
    assert log(home) == [BEGUN] and git(home, "status", "--porcelain") == ""
    assert set(origins(home).values()) == {"early"}


def test_no_answer_of_an_open_hole_is_in_a_workspace(home):
    answers = final_parts()
    mine = "\n".join(path.read_text() for path in home.glob("**/*.py"))
    for name in origins(home).keys() & answers.keys():
        assert answers[name] not in mine, name


def test_the_programs_of_an_earlier_version_stay(home):
    (home / "03").mkdir()
    (home / "03/train.py").write_text("mine")
    prepare(ROOT, home.parent)
    assert (home / "03/train.py").read_text() == "mine"
    assert log(home) == [BEGUN] and git(home, "status", "--porcelain") == ""


def test_opening_the_workspace_again_commits_nothing_of_theirs(home):
    edit(home, "default=0.003", "default=0.001")
    (home / "shapes.py").unlink()
    prepare(ROOT, home.parent)
    assert log(home) == [BEGUN] and git(home, "status", "--porcelain") == "M train.py"


def test_pictures_and_runs_are_none_of_its_files(home):
    for name in ("shapes/train/a.jpg", "run/checkpoint.pt", "runs/1/losses.png"):
        (home / name).parent.mkdir(parents=True)
        (home / name).touch()
    assert git(home, "status", "--porcelain") == ""


# ---------------------------------------------------------------- what passes


def test_what_passes_is_put_with_a_commit_of_its_own(home):
    said = passed(home)
    assert said == "`pick_device` is in your program now; `course project` in a terminal shows it."
    assert part(home, "pick_device") == parts(PICK)["pick_device"]
    assert log(home) == [PASSED, BEGUN]
    assert origins(home) | {"pick_device": "early"} == dict.fromkeys(origins(home), "early")
    assert origins(home)["pick_device"] == "passed"


def test_a_second_pass_with_the_same_text_commits_nothing(home):
    passed(home)
    before = (home / "train.py").stat().st_mtime_ns
    assert passed(home) == ""
    assert log(home) == [PASSED, BEGUN] and (home / "train.py").stat().st_mtime_ns == before


def test_a_better_answer_takes_the_place_of_the_first(home):
    passed(home)
    passed(home, PICK.replace("return", "# shorter\n    return"))
    assert "# shorter" in part(home, "pick_device")
    assert log(home) == [PASSED, PASSED, BEGUN] and origins(home)["pick_device"] == "passed"


def test_each_part_of_an_exercise_has_its_commit_and_a_helper_stands_once(home):
    said = passed(home, SAVE, "saving.save")
    assert (
        said
        == "`save` and `resume` are in your program now; `course project` in a terminal shows it."
    )
    subjects = [f"{OURS}: {name}: passed in lesson 10" for name in ("resume", "save")]
    assert log(home) == [*subjects, BEGUN]
    assert git(home, "show", "--format=", "--stat=80", "HEAD").count("train.py") == 1
    changed = SAVE.replace('".spare"', '".other"')
    passed(home, changed, "saving.save")
    source = (home / "train.py").read_text()
    assert source.count("SPARE =") == 1 and '".other"' in source
    assert [origins(home)[name] for name in ("save", "resume")] == ["passed", "passed"]
    assert passed(home, changed, "saving.save") == ""


def test_another_part_in_the_cell_stays_out(home):
    before = part(home, "train_batch")
    passed(home, PICK + "\n\ndef train_batch(model, images, targets, args):\n    return 7\n")
    assert part(home, "train_batch") == before and origins(home)["pick_device"] == "passed"


def test_an_exercise_without_a_part_changes_nothing(home):
    assert passed(home, "def double(x):\n    return 2 * x\n", "tensors.move_batch") == ""
    assert log(home) == [BEGUN]


def test_a_cell_that_lacks_a_part_is_a_sentence(home):
    only = SAVE[: SAVE.index("def resume")]
    assert "the cell that passed does not define resume." in passed(home, only, "saving.save")
    assert log(home) == [BEGUN]


# ---------------------------------------------------------------- a check


@pytest.fixture
def defined(home, monkeypatch) -> Iterator[Callable[[str, str], Any]]:
    """Runs a notebook's cell in the workspace of `home`, and gives what it defines by a name."""
    monkeypatch.setenv("COURSE_WORKSPACE", str(home.parent))
    record.record.cache_clear()

    def run(name: str, source: str) -> Any:
        file, namespace = f"<cell {len(linecache.cache)}>", {}
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), namespace)
        return namespace[name]

    yield run
    record.record.cache_clear()


def final_parts() -> dict[str, str]:
    """What the course writes, by name."""
    texts = ((ROOT / "notebooks/project" / name).read_text() for name in FILES)
    return {name: text for each in texts for name, text in parts(each).items()}


def course_cell(*names: str) -> str:
    """A cell with what the course writes for these parts."""
    own = final_parts()
    imports = "import io\nimport os\nimport sys\nfrom contextlib import nullcontext\n"
    imports += "from itertools import chain\n\nimport torch\nfrom torch import nn"
    return "\n\n\n".join([imports, *(own[name] for name in names)]) + "\n"


@pytest.mark.parametrize(
    "exercise", only(["modules.shape_net"], sorted({hole.exercise for hole in HOLES}))
)
def test_a_check_that_passes_puts_the_cell_into_the_program(home, defined, exercise):
    names = [hole.name for hole in HOLES if hole.exercise == exercise]
    message = practice.check(exercise, defined(names[0], course_cell(*names)))
    assert message.report.passed
    assert "in your program now; `course project` in a terminal shows it." in message.text
    assert [origins(home)[name] for name in names] == ["passed"] * len(names)
    assert len(log(home)) == 1 + len(names)


def test_a_check_that_does_not_pass_puts_nothing(home, defined):
    message = practice.check("machine.pick_device", defined("pick_device", PICK))
    assert not message.report.passed and "your program" not in message.text
    assert log(home) == [BEGUN] and origins(home)["pick_device"] == "early"


def test_a_fault_in_what_follows_harms_no_verdict(home, defined, monkeypatch):
    def fault(*_):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(filling, "fill", fault)
    answer = defined("pick_device", course_cell("pick_device"))
    message = practice.check("machine.pick_device", answer)
    assert message.report.passed
    said = "Your answer was not put into your program: RuntimeError: a fault of ours"
    assert said in message.text


# ---------------------------------------------------------------- what is theirs


def test_changes_by_hand_are_committed_first_and_stay(home):
    edit(home, "default=0.003", "default=0.001")
    passed(home)
    assert "default=0.001" in (home / "train.py").read_text()
    assert log(home) == [PASSED, BY_HAND, BEGUN]
    assert "default=0.001" in git(home, "show", "HEAD~1") and "default" not in git(home, "show")


@pytest.mark.parametrize("first", [True, False], ids=["after-a-pass", "before-any"])
def test_a_part_that_was_changed_by_hand_is_left_alone(home, first):
    if first:
        passed(home)
    edit(home, part(home, "pick_device"), "def pick_device(wanted):\n    return MINE")
    before = (home / "train.py").read_text()
    other = PICK.replace("return", "# shorter\n    return")
    for _ in range(2):
        said = passed(home, other)
        assert "You edited `pick_device` in project/train.py" in said
        assert "your answer was put into project/pick_device-1.py only" in said
    assert (home / "train.py").read_text() == before
    assert (home / "pick_device-1.py").read_text() == other
    assert not (home / "pick_device-2.py").exists()
    assert origins(home)["pick_device"] == "edited" and BY_HAND not in log(home)


def test_what_the_part_does_not_need_stays_out(home):
    passed(home, PICK + "\n\ndef total(tensor):\n    return 0\n")
    assert (home / "train.py").read_text().count("def total(") == 1
    assert origins(home)["pick_device"] == "passed"


def test_a_helper_that_was_changed_by_hand_keeps_its_part(home):
    passed(home, SAVE, "saving.save")
    edit(home, 'SPARE = ".spare"', 'SPARE = ".mine"')
    said = passed(home, SAVE.replace('".spare"', '".other"'), "saving.save")
    assert "You edited `save` in project/train.py" in said
    assert 'SPARE = ".mine"' in (home / "train.py").read_text()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def pick_device(", "def choose_device(", "No `pick_device` was found in"),
        ("def main():", "def main(:", "No `pick_device` was found in project/train.py"),
        ("TORCHRUN = ", "words = TORCHRUN = ", ""),
    ],
)
def test_a_program_without_the_part_is_left_alone(home, old, new, said):
    edit(home, old, new)
    before = (home / "train.py").read_text()
    assert said in passed(home)
    assert ((home / "train.py").read_text() == before) is bool(said)
    assert (home / "pick_device-1.py").exists() is bool(said)


def test_a_helper_under_a_name_that_the_program_has_is_not_put(home):
    before = (home / "train.py").read_text()
    own = PICK.replace("return", "total(0)\n    return") + "\n\ndef total(tensor):\n    return 0\n"
    said = passed(home, own)
    assert "project/train.py has another `total` than your cell" in said
    assert (home / "train.py").read_text() == before and (home / "pick_device-1.py").exists()


def test_what_would_keep_the_program_from_running_is_not_put(home):
    said = passed(home, "from __future__ import annotations\n" + PICK)
    assert "project/train.py could not run with it (from __future__" in said
    assert log(home) == [BEGUN]


def test_a_file_that_is_not_there_is_a_sentence(home):
    (home / "shapes.py").unlink()
    said = passed(home)
    assert said == (
        "Your program in project/ was not changed: project/shapes.py is missing. "
        "Run `course lab` to restore it."
    )


def test_line_ends_and_a_link_stay_as_they_are(home, tmp_path):
    text = (home / "train.py").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "kept.py").write_bytes(text)
    (home / "train.py").unlink()
    (home / "train.py").symlink_to(tmp_path / "kept.py")
    passed(home)
    data = (tmp_path / "kept.py").read_bytes()
    assert (home / "train.py").is_symlink() and data != text
    assert data.count(b"\n") == data.count(b"\r\n")
    assert part(home, "pick_device") == parts(PICK)["pick_device"]


# ---------------------------------------------------------------- repositories of their own


def test_a_branch_of_their_own_gets_the_commit(home):
    git(home, "switch", "--quiet", "--create", "mine")
    git(home, "commit", "--quiet", "--allow-empty", "-m", "my own")
    passed(home)
    assert log(home) == [PASSED, "me: my own", BEGUN]
    assert git(home, "branch", "--show-current") == "mine"


def test_a_detached_head_gets_the_commit(home):
    git(home, "checkout", "--quiet", "--detach")
    passed(home)
    assert log(home) == [PASSED, BEGUN] and git(home, "branch", "--show-current") == ""


def test_a_repository_that_was_there_keeps_its_commits_and_what_is_staged(delivered, tmp_path):
    home = tmp_path / "workspace" / "project"
    home.mkdir(parents=True)
    git(home, "init", "--quiet")
    (home / "notes.txt").write_text("mine")
    git(home, "add", "notes.txt")
    git(home, "commit", "--quiet", "-m", "my own")
    (home / "notes.txt").write_text("more of mine")
    (home / "todo.txt").touch()
    git(home, "add", "notes.txt")
    shutil.copytree(delivered / ".course", home.parent / ".course")
    prepare(ROOT, home.parent)
    passed(home)
    assert log(home) == [PASSED, BEGUN, "me: my own"]
    assert git(home, "status", "--porcelain").splitlines() == ["M  notes.txt", "?? todo.txt"]


def test_neither_hooks_nor_settings_nor_a_repository_around_it_are_followed(
    home, tmp_path, monkeypatch
):
    hook = home / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
    hook.chmod(0o755)
    (tmp_path / ".gitconfig").write_text("[commit]\ngpgSign = true\n[gpg]\nprogram = false\n")
    git(home, "config", "commit.gpgSign", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_DIR", str(ROOT / ".git"))
    passed(home)
    monkeypatch.delenv("GIT_DIR")
    assert log(home) == [PASSED, BEGUN] and not (home / "ran").exists()


def test_a_workspace_in_a_repository_has_one_of_its_own(delivered, tmp_path):
    git(tmp_path, "init", "--quiet")
    workspace = tmp_path / "workspace"
    shutil.copytree(delivered, workspace, ignore=shutil.ignore_patterns(".git"))
    passed(workspace / "project")
    assert (workspace / "project" / ".git").is_dir()
    assert git(tmp_path, "rev-list", "--all", "--count") == "0"


@pytest.mark.parametrize("what", ["merge", "rebase", "cherry-pick"])
def test_what_is_under_way_is_left_alone(home, what):
    git(home, "switch", "--quiet", "--create", "mine")
    edit(home, "default=0.003", "default=0.001", "train.py")
    git(home, "commit", "--quiet", "-am", "slower")
    git(home, "switch", "--quiet", "-")
    edit(home, "default=0.003", "default=0.01", "train.py")
    git(home, "commit", "--quiet", "-am", "faster")
    subprocess.run(
        ["git", "-c", "user.name=me", "-c", "user.email=me@home", what, "mine"],
        cwd=home,
        capture_output=True,
    )
    git(home, "checkout", "--ours", "train.py")
    before, commits = (home / "train.py").read_text(), git(home, "rev-list", "--all")
    said = passed(home)
    assert said.startswith(f"A {what} is not finished in project/. So your answer")
    assert (home / "train.py").read_text() == before
    assert git(home, "rev-list", "--all") == commits
    assert (home / "pick_device-1.py").read_text() == PICK


# ---------------------------------------------------------------- what a machine lacks


def test_without_git_what_was_replaced_is_kept_as_a_numbered_copy(tmp_path, delivered, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    workspace = tmp_path / "workspace"
    shutil.copytree(delivered, workspace, ignore=shutil.ignore_patterns("project"))
    shutil.rmtree(workspace / ".course")
    lines = prepare(ROOT, workspace).lines()
    home = workspace / "project"
    assert [line for line in lines if "history" in line] == [
        "project/ has no git history, only numbered copies of replaced files: git is not "
        "installed here."
    ]
    assert prepare(ROOT, workspace).lines() == []
    said = passed(home)
    assert said.splitlines() == [
        "`pick_device` is in your program now; `course project` in a terminal shows it.",
        "It is not committed: git is not installed here. The old file is project/train-1.py.",
    ]
    assert (home / "train-1.py").read_text() == early()["train.py"]
    assert origins(home)["pick_device"] == "passed" and not (home / ".git").exists()
    assert passed(home) == ""


def test_a_git_that_is_gone_is_told_only_where_it_was_needed(home, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert passed(home).splitlines()[1:] == [
        "It is not committed: git is not installed here. The old file is project/train-1.py."
    ]
    assert passed(home) == ""
    edit(home, "return torch.device(", "return torch.device(*")
    said = passed(home)
    assert "You edited" in said and "committed" not in said


def test_a_locked_index_is_a_sentence_and_nothing_is_lost(home):
    edit(home, "default=0.003", "default=0.001")
    before = (home / "train.py").read_text()
    (home / ".git" / "index.lock").touch()
    said = passed(home)
    assert "is in your program now" in said and "It is not committed: git failed: “" in said
    assert "index.lock" in said and said.count("\n") == 1
    assert (home / "train-1.py").read_text() == before
    (home / ".git" / "index.lock").unlink()
    passed(home, PICK.replace("return", "# shorter\n    return"))
    assert log(home) == [PASSED, BY_HAND, BEGUN]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [(errno.ENOSPC, "The disk is full"), (errno.EROFS, "Make .* writable for you")],
)
def test_what_cannot_be_written_is_a_sentence(home, monkeypatch, code, sentence):
    before = (home / "train.py").read_text()

    def refuse(_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(writing.os, "fsync", refuse)
    said = passed(home)
    monkeypatch.undo()
    assert said.startswith("Your program in project/ was not changed: ") and "\n" not in said
    assert re.search(sentence, said)
    assert (home / "train.py").read_text() == before
    passed(home)
    assert log(home) == [PASSED, BEGUN]


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"version": 2, "parts": {}}', b"\xff"])
def test_a_broken_ledger_is_kept_and_takes_nothing_of_theirs_for_ours(home, data):
    passed(home)
    ledger = home.parent / ".course" / "program.json"
    ledger.write_bytes(data)
    assert "You edited" in passed(home, PICK.replace("return", "# new\n    return"))
    assert (ledger.parent / "program.broken.json").read_bytes() == data
    prepare(ROOT, home.parent)
    assert origins(home) | {"pick_device": "early"} == dict.fromkeys(origins(home), "early")
    assert passed(home) == "" and origins(home)["pick_device"] == "passed"
    assert json.loads(ledger.read_bytes())["version"] == 1


# ---------------------------------------------------------------- a new version of the course


def test_a_part_in_the_form_of_an_earlier_version_is_still_early(home, monkeypatch):
    new = {
        name: text.replace("until lesson 01", "before lesson 01") for name, text in early().items()
    }
    monkeypatch.setattr("course_workspace.deliver.early", lambda root: new)
    edit(home, "default=0.003", "default=0.001")
    assert prepare(ROOT, home.parent).beside == ["project/train.new.py"]
    assert origins(home)["pick_device"] == "early"
    assert passed(home) and origins(home)["pick_device"] == "passed"


def test_a_new_version_beside_a_program_has_the_parts_that_passed(home, monkeypatch):
    passed(home)
    before = (home / "train.py").read_bytes()
    new = {name: text + "# new\n" for name, text in early().items()}
    monkeypatch.setattr("course_workspace.deliver.early", lambda root: new)
    assert prepare(ROOT, home.parent).beside == ["project/train.new.py"]
    assert (home / "train.py").read_bytes() == before
    (home / "train.py").rename(home / "train.old.py")
    (home / "train.new.py").rename(home / "train.py")
    assert (home / "train.py").read_text().endswith("# new\n")
    assert origins(home)["pick_device"] == "passed"


def test_an_untouched_program_becomes_the_new_version_with_a_commit(home, monkeypatch):
    new = {name: text + "# new\n" for name, text in early().items()}
    monkeypatch.setattr("course_workspace.deliver.early", lambda root: new)
    prepare(ROOT, home.parent)
    assert (home / "train.py").read_text().endswith("# new\n")
    assert log(home) == [BEGUN, BEGUN] and git(home, "status", "--porcelain") == ""
