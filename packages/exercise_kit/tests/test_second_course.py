"""A course about something else, in an environment that has the kit and nothing besides Python."""

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from exercise_kit.corpus import known_answers

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
COURSE = PROJECT / "tests" / "second_course"
NAMES = ["numbers.fix_mean", "texts.shortened", "texts.written"]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel of the kit."""
    folder = tmp_path_factory.mktemp("kit")
    source = shutil.copytree(
        PROJECT, folder / "source", ignore=shutil.ignore_patterns("tests", "*.egg-info", "build")
    )
    options = ("--no-build-isolation", "--no-deps", "--no-cache-dir", "--quiet")
    pip = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(folder)]
    subprocess.run([*pip, str(source)], check=True)
    venv.create(folder / "env", with_pip=False)
    found = folder / "env" / "bin" / "python"
    (wheel,) = folder.glob("*.whl")
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    shutil.unpack_archive(wheel, site, "zip")
    return found


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return shutil.copytree(
        COURSE, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__")
    )


def kit(python: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-I", "-m", "exercise_kit", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("module", ["torch", "numpy", "nbgrader", "course_utils", "virtual_cuda"])
def test_the_environment_is_empty(python: Path, module: str) -> None:
    asked = subprocess.run([python, "-I", "-c", f"import {module}"], capture_output=True, text=True)
    assert "ModuleNotFoundError" in asked.stderr


def test_all_exercises_are_proven(python: Path, course: Path) -> None:
    said = kit(python, "verify", course)
    assert said.returncode == 0, said.stdout + said.stderr
    assert [line[:2] + line[2:].partition(":")[0] for line in said.stdout.splitlines()] == [
        f"✓ {name}" for name in NAMES
    ]


def test_what_was_built_is_what_is_built_again(python: Path, course: Path) -> None:
    for file in course.glob("*/*/known.json"):
        file.unlink()
    assert kit(python, "build", course).returncode == 0
    for file in COURSE.glob("*/*/known.json"):
        built = course / file.relative_to(COURSE)
        assert json.loads(built.read_text()) == json.loads(file.read_text())


@pytest.mark.parametrize("name", NAMES)
def test_every_known_answer_meets_what_it_must(python: Path, course: Path, name: str) -> None:
    folder, file = course / Path(*name.split(".")), course / "answer.py"
    for answer in (*known_answers(folder, "accepted"), *known_answers(folder, "wrong")):
        file.write_text(answer.source)
        said = kit(python, "check", course, name, file)
        assert said.returncode == (answer.expected != "passed"), answer
        assert said.stdout.startswith(f"{answer.expected} "), answer


def test_verify_names_the_cell_that_it_means(python: Path, course: Path) -> None:
    file = course / "texts" / "shortened" / "wrong" / "others.py"
    file.write_text(file.read_text().replace("# finding: passes-alone", "# finding: other-result"))
    assert kit(python, "build", course, "texts.shortened").returncode == 0
    said = kit(python, "verify", course, "texts.shortened").stdout
    assert f"{file}, cell kept must come out as other-result, but it comes out as" in said


def test_a_scaffold_is_proven_once_it_is_written(python: Path, course: Path) -> None:
    made = kit(python, "new", course, "texts.double").stdout.split()
    assert len(made) == 9
    for file in map(Path, made):
        file.write_text(file.read_text().replace("TODO", "Done").replace("todo-", ""))
    assert kit(python, "build", course, "texts.double").returncode == 0
    said = kit(python, "verify", course, "texts.double")
    assert said.returncode == 0, said.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["new", "texts"], "is no name for an exercise"),
        (["new", "texts.written"], "is there already"),
        (["check", "texts.written", "task.md"], "the cell does not run"),
        (["verify", "texts.unknown"], "lacks answer.py, task.md, words.md, cases.py"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    python: Path, course: Path, arguments: list[str], said: str
) -> None:
    verb, name, *files = arguments
    answer = kit(python, verb, course, name, *(course / "texts/written" / file for file in files))
    assert answer.returncode and said in answer.stdout + answer.stderr
    assert "Traceback" not in answer.stderr
