"""`course remove`: the exercise is gone, all else is as it was, and no work is lost unasked."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from toy import COURSE as TOY

from course_authoring import commands
from course_authoring.exercises import _without_entry, mentions, new_exercise, remove_exercise
from course_authoring.text import build
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest, repository_root

ENTRY = """\
[[assignments.exercises]]
title = "Triple"  # a number
name = 'toy.triple'
# a guess
map = "X90.1"
kind = "write"
points = 3
minutes = 10
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The toy course, in no repository."""
    root = tmp_path / "course"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def repository(copy: Path) -> Path:
    """The toy course, all of it committed."""
    (copy / ".gitignore").write_text("__pycache__/\n*.local\n")
    git(copy, "init", "--quiet")
    commit(copy)
    return copy


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(root: Path) -> None:
    git(root, "add", ".")
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(root, *author, "commit", "--quiet", "--message", "A course")


def triple(root: Path) -> Path:
    return root / "assignments" / "exercises" / "toy" / "triple"


def test_new_and_remove_leave_nothing_behind(repository):
    new_exercise(repository, "toy.triple")
    build(repository)
    assert git(repository, "status", "--porcelain") != ""
    assert remove_exercise(repository, "toy.triple", force=True) == triple(repository)
    build(repository)
    assert git(repository, "status", "--porcelain") == ""


def test_the_first_of_two_goes_and_the_other_stays(repository):
    new_exercise(repository, "toy.triple")
    remove_exercise(repository, "toy.double")
    (left,) = load_manifest(repository / "course.toml").assignments[0].exercises
    assert left.name == "toy.triple" and triple(repository).is_dir()


@pytest.mark.parametrize("change", ["new", "edited", "staged", "ignored", "beside"])
def test_what_git_could_not_give_back_is_not_deleted_unasked(repository, change):
    new_exercise(repository, "toy.triple")
    file = triple(repository) / "task.md"
    if change != "new":
        commit(repository)
    if change in ("edited", "staged"):
        file.write_text("Mine.")
    if change == "staged":
        git(repository, "add", ".")
    if change in ("ignored", "beside"):
        file = file.with_name("notes.local" if change == "ignored" else "notes.md")
        file.write_text("Mine.")
    before = (repository / "course.toml").read_text()
    with pytest.raises(CourseError, match=rf"does not have all of .*{file.name}.*--force") as error:
        remove_exercise(repository, "toy.triple")
    assert "\n" not in str(error.value)
    assert file.exists() and (repository / "course.toml").read_text() == before
    remove_exercise(repository, "toy.triple", force=True)
    assert not triple(repository).exists()


def test_what_is_committed_goes_and_git_gives_it_back(repository):
    new_exercise(repository, "toy.triple")
    commit(repository)
    (triple(repository) / "__pycache__").mkdir()
    (triple(repository) / "__pycache__" / "cases.pyc").touch()
    remove_exercise(repository, "toy.triple")
    git(repository, "checkout", ".")
    assert (triple(repository) / "cases.py").exists()


@pytest.mark.parametrize("installed", [True, False])
def test_without_a_repository_it_is_asked_for(copy, monkeypatch, installed):
    new_exercise(copy, "toy.triple")
    if not installed:
        monkeypatch.setenv("PATH", "")
    with pytest.raises(CourseError, match=r"answer\.py.*--force"):
        remove_exercise(copy, "toy.triple")
    remove_exercise(copy, "toy.triple", force=True)
    assert (copy / "course.toml").read_text() == (TOY / "course.toml").read_text()


def test_a_folder_that_is_gone_already_is_no_reason_to_stop(copy):
    new_exercise(copy, "toy.triple")
    shutil.rmtree(triple(copy))
    remove_exercise(copy, "toy.triple")
    assert (copy / "course.toml").read_text() == (TOY / "course.toml").read_text()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("toy.duble", r"There is no exercise toy\.duble; did you mean toy\.double\?"),
        ("toy", "There is no exercise toy; known are"),
        ("toy.double", "is the only exercise of 90_toy"),
    ],
)
def test_what_cannot_be_removed_is_one_sentence(copy, name, said):
    with pytest.raises(CourseError, match=said):
        remove_exercise(copy, name, force=True)
    assert (copy / "assignments/exercises/toy/double/cases.py").exists()


BEFORE = (TOY / "course.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "after",
    [
        "",
        "\n# The end.\n",
        "\n# The end.",
        "\n# --- others\n\n# a comment\n[[assignments]]\nname = '91_x'\nexercises = []\n",
    ],
)
def test_only_the_entry_goes_whatever_stands_around_it(after):
    before = f"{BEFORE}\n# a comment above\n"
    assert _without_entry(f"{before}{ENTRY}{after}", "toy.triple") == before + after
    between = BEFORE.replace("[[assignments.exercises]]\n", f"{ENTRY}\n[[assignments.exercises]]\n")
    assert _without_entry(between + after, "toy.triple") == BEFORE + after


def test_an_entry_of_another_form_is_left_to_its_author():
    tables = tomllib.loads(BEFORE)["assignments"][0]["exercises"]
    inline = f'{{name = "toy.triple", title = "{tables[0]["title"]}"}}'
    text = BEFORE.partition("[[assignments.exercises]]")[0] + f"exercises = [{inline}]\n"
    with pytest.raises(CourseError, match="has a form of its own"):
        _without_entry(text, "toy.triple")


@pytest.mark.slow
def test_the_entries_of_the_course_can_be_removed():
    """Each takes the lines of its own away, and no other."""
    text = (repository_root() / "course.toml").read_text(encoding="utf-8")
    for assignment in load_manifest().assignments:
        for exercise in assignment.exercises:
            left = _without_entry(text, exercise.name)
            assert "\n\n\n" not in left and left.endswith("\n") and not left.endswith("\n\n")


def test_whatever_still_names_it_is_listed(repository, monkeypatch, capsys):
    texts = {
        "README.md": "`course reset toy.triple`\n",
        "site/guides/syllabi.md": "\n| 90 Doubling | all | 5 | `double`, `triple` | 8 |\n",
        "notebooks/text/90_doubling.py": "# a triple of cards\n# ../exercises/toy/triple/task.md\n",
        "tests/attacks/lies.py": "# %% before triple\n# %% tripled\ntriples = triple + 1\n",
        "tests/test_toy.py": 'TOPIC.cases("triple")\n',
        "assignments/exercises/toy/double/task.md": "As `triple(x)`, but twice.\n",
    }
    for name, text in texts.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text)
    found = [
        "README.md:1",
        "assignments/exercises/toy/double/task.md:1",
        "notebooks/text/90_doubling.py:2",
        "site/guides/syllabi.md:2",
        "tests/attacks/lies.py:1",
        "tests/test_toy.py:1",
    ]
    assert mentions(repository, "toy.triple") == found
    new_exercise(repository, "toy.triple")
    monkeypatch.setattr(commands, "repository_root", lambda: repository)
    commands.remove("toy.triple", force=True)
    said = capsys.readouterr().out.splitlines()
    assert said == [
        f"Deleted: {triple(repository)}, and its entry in course.toml.",
        "These lines seem to name it still:",
        *found,
        "Fix those that do, then run `course build`.",
    ]
    assert mentions(repository, "toy.fourfold") == []
