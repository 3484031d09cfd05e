"""The repository itself: notebooks in step with their texts, links, words, names, import cost."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from course_authoring import text
from course_utils.checking.exercises import place_of
from course_utils.manifest import load_manifest
from tests import english

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("assignments/source/*/*.ipynb")])
TEXTS = [
    *ROOT.glob("*.md"),
    *ROOT.glob("tests/*.md"),
    *ROOT.glob("site/guides/*.md"),
    *ROOT.glob("packages/*/README.md"),
]


def prose(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def test_no_two_modules_of_tests_share_a_name():
    """pytest imports them by their names alone, so that of two one would not be collected."""
    folders = [folder for folder in (ROOT / "tests").iterdir() if folder.is_dir()]
    names = [
        path.name
        for folder in folders
        for path in folder.glob("*.py")
        if path.name not in ("__init__.py", "__main__.py", "conftest.py")
    ]
    assert [name for name in set(names) if names.count(name) > 1] == []


def test_what_is_left_to_make_test_all_is_listed():
    listed = (ROOT / "tests" / "test_all.md").read_text("utf-8")
    tests = [*ROOT.glob("tests/*/test_*.py"), *ROOT.glob("packages/virtual_cuda/tests/test_*.py")]
    marked = {
        path.name for path in tests if re.search(r"pytest\.mark\.full", path.read_text("utf-8"))
    }
    assert marked == set(re.findall(r"^\| `(test_\w+\.py)`", listed, re.M))


def test_what_is_left_to_make_test_more_is_listed():
    listed = (ROOT / "tests" / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| .+ \|(.*)\|(.*)\|$", listed.partition("| promise |")[2], re.M)
    tests = [
        *ROOT.glob("tests/*/test_*.py"),
        *ROOT.glob("packages/virtual_cuda/tests/**/test_*.py"),
    ]
    marked = {
        path.name
        for path in tests
        if re.search(r"mark\.more|import only$", path.read_text("utf-8"), re.M)
    }
    before, more = (
        set(re.findall(r"\w*test_\w+\.py", " ".join(column))) for column in zip(*rows, strict=True)
    )
    assert marked == more
    assert before <= {path.name for path in tests}


@pytest.mark.slow
def test_notebooks_are_in_step_with_their_texts():
    assert [str(change) for change in text.build(ROOT, check=True)] == []


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"https://|#|mailto:", target):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name}: {target}"


@pytest.mark.slow
def test_texts_are_in_ordinary_english():
    found = [
        f"{path}, line {line}: {word!r}: {instead}"
        for path in english.files()
        for line, word, instead in english.private_words(ROOT / path)
    ]
    found += [
        f"{path}, {number} words: {sentence}"
        for path in english.files()
        if path.endswith(".md")
        for number, sentence in english.long_sentences(ROOT / path)
    ]
    assert found == []


def test_a_private_word_and_a_long_sentence_are_found(tmp_path):
    page, program = tmp_path / "page.md", tmp_path / "program.py"
    page.write_text(f"Mend it.\n\n{'one ' * english.LONGEST}more.\n")
    program.write_text('"""What is there."""\nmend = 1  # whoever\n')
    assert [word for _, word, _ in english.private_words(page)] == ["Mend"]
    assert [number for number, _ in english.long_sentences(page)] == [english.LONGEST + 1]
    assert [(line, word) for line, word, _ in english.private_words(program)] == [
        (1, "What is there"),
        (2, "whoever"),
    ]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_committed_without_results(notebook):
    content = json.loads(notebook.read_text(encoding="utf-8"))
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert content["metadata"]["kernelspec"]["name"] == "python3"
    assert "widgets" not in content["metadata"] and "jupytext" not in content["metadata"]
    for cell in content["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_every_file_that_the_manifest_names_exists():
    course = load_manifest(ROOT / "course.toml")
    for lesson in course.lessons:
        assert (ROOT / "notebooks" / f"{lesson.notebook}.ipynb").exists()
    for assignment in course.assignments:
        assert (ROOT / "assignments" / "text" / f"{assignment.name}.py").exists()
        for exercise in assignment.exercises:
            assert (place_of(ROOT, exercise.name) / "task.md").exists()


def test_lessons_name_only_exercises_that_exist():
    course = load_manifest(ROOT / "course.toml")
    names = {exercise.name for part in course.assignments for exercise in part.exercises}
    names |= {task.name for lesson in course.lessons for task in lesson.tasks}
    for notebook in NOTEBOOKS:
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            for used in re.findall(r'(?:check|hint|solution)\("([^"]+)"', "".join(cell["source"])):
                assert used in names, f"{notebook.name}: {used}"


def test_importing_the_course_imports_nothing_heavy():
    script = (
        "import sys, course_utils; print([m for m in ('torch', 'numpy', 'matplotlib', "
        "'IPython', 'ipywidgets', 'jupytext') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_no_answer_can_be_imported_from_the_package():
    """No function of our packages is called like an exercise's answer."""
    course = load_manifest(ROOT / "course.toml")
    answers = {e.short for a in course.assignments for e in a.exercises}
    for path in (*ROOT.glob("course_utils/**/*.py"), *ROOT.glob("packages/course_*/**/*.py")):
        defined = set(re.findall(r"^def (\w+)", path.read_text("utf-8"), re.MULTILINE))
        assert not defined & answers, f"{path}: {defined & answers}"


def test_nothing_of_a_learner_or_a_gradebook_is_tracked():
    private = re.compile(r"^workspace/|gradebook\.db|\.grading_seed|^assignments/release/")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    assert [path for path in listed.stdout.split() if private.search(path)] == []
