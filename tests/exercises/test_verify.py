"""`course verify` is content with the course, and says what is wrong when something is."""

import re
import shutil
import sys
from pathlib import Path

import pytest

import course_utils
from course_authoring import text, verify
from course_authoring.exercises import new_exercise
from course_utils.checking.exercises import exercise_in
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from exercise_kit.errors import ExerciseError
from exercise_kit.mutants import mutants
from exercise_kit.reference import reference, stub, to_be_fixed
from tests.kept import only

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "tests" / "toy_course"
NAMES = load_manifest(ROOT / "course.toml").exercise_names
FIRST = {  # one of each kind, within seconds; `make test-more` proves the others
    "freest.who_gets",
    "machine.why_no_gpu",
    "modules.classifier",
    "parallel.split_sizes",
    "tensors.fix_mismatch",
    "tensors.move_batch",
}


@pytest.mark.timeout(1800)  # programs are run some hundred times
@pytest.mark.slow
@pytest.mark.parametrize("proof", ["brief", pytest.param("whole", marks=pytest.mark.full)])
@pytest.mark.parametrize("name", only(FIRST, NAMES))
def test_every_exercise_is_proven(name, proof):
    said: list[str] = []
    brief = proof == "brief"
    assert verify.verify_course(ROOT, [name], said.append, brief=brief) == [], "\n".join(said)


def test_no_folder_is_left_out_of_the_manifest():
    folders = {
        f"{task.parent.parent.name}.{task.parent.name}"
        for task in ROOT.glob("assignments/exercises/*/*/task.md")
    }
    assert folders == set(NAMES)


def test_an_assignment_imports_the_names_that_its_tasks_use():
    """Of the course, in the code of the task, of its hints, and of the lines for trying it out."""
    for assignment in load_manifest(ROOT / "course.toml").assignments:
        setup = (ROOT / "assignments" / "text" / f"{assignment.name}.py").read_text("utf-8")
        imported = re.search(r"^from course_utils import (.+)", setup, flags=re.M)
        for name in (each.name for each in assignment.exercises):
            folder = ROOT / "assignments" / "exercises" / name.replace(".", "/")
            files = [folder / file for file in ("task.md", "words.md", "answer.py")]
            called = re.findall(r"\b(\w+)\(", "".join(file.read_text("utf-8") for file in files))
            used = {*called} & {*course_utils.__all__}
            assert imported and used <= {*imported[1].split(", ")}, name


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The toy course, to be damaged."""
    root = tmp_path / "course"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def problems(root: Path, rebuilt: bool = True) -> str:
    exercise_in.cache_clear()
    for module in [name for name in sys.modules if name.startswith("exercises_")]:
        if module.partition(".")[2]:
            del sys.modules[module]  # as in the next run of a command
    if rebuilt:
        text.build(root, discard=True)
    return "\n".join(verify.verify_course(root, None, lambda line: None))


def double(root: Path) -> Path:
    return root / "assignments" / "exercises" / "toy" / "double"


def edit(path: Path, old: str, new: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new, 1), encoding="utf-8")


def test_an_intact_copy_is_proven_and_counted(copy):
    said: list[str] = []
    assert verify.verify_course(copy, None, said.append) == []
    assert "3 wrong, 3 findings" in said[-1]


GIVEN = "def twice(x):\n    return x + 1"


@pytest.fixture
def with_task(copy: Path) -> Path:
    """The toy course with a task inside its lesson: a program to fix."""
    here = double(copy).with_name("twice")
    shutil.copytree(double(copy), here)
    for file in (each for each in here.rglob("*") if each.is_file()):
        file.write_text(file.read_text("utf-8").replace("double", "twice"), "utf-8")
    with (here / "task.md").open("a") as task:
        task.write(f"\n```python\n{GIVEN}\n```\n")
    entry = '[[lessons.tasks]]\nname = "toy.twice"\ntitle = "Fix it"\ndone = "Repaired."\n\n'
    entry += "[[assignments]]"
    edit(copy / "course.toml", "[[assignments]]", entry)
    lesson = copy / "notebooks" / "text" / "90_doubling.py"
    lesson.parent.mkdir(parents=True)
    check = 'check("toy.twice", twice)'
    lesson.write_text(f'# %% {{"slug": "given"}}\n{GIVEN}\n\n# %% {{"slug": "check"}}\n{check}\n')
    return copy


@pytest.mark.parametrize("names", [None, ["toy.twice"], ["90"]], ids=str)
def test_a_task_of_a_lesson_is_proven_as_well(with_task, names):
    text.build(with_task, discard=True)
    said: list[str] = []
    exercise_in.cache_clear()
    assert verify.verify_course(with_task, names, said.append) == []
    assert any(line.startswith("✓ toy.twice") for line in said)


@pytest.mark.parametrize("line", [GIVEN.splitlines()[-1], 'check("toy.twice", twice)'])
def test_a_task_needs_its_program_and_its_check_in_the_lesson(with_task, line):
    edit(with_task / "notebooks" / "text" / "90_doubling.py", line, "pass")
    assert "lesson 90 needs a cell with the " in problems(with_task)


@pytest.mark.parametrize("missing", ["answer.py", "cases.py", "task.md", "words.md"])
def test_a_folder_without_one_of_its_files_is_named(copy, missing):
    (double(copy) / missing).unlink()
    try:
        said = problems(copy, rebuilt=missing not in ("answer.py", "task.md"))
    except ExerciseError as error:
        said = str(error)
    assert missing in said


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "answer.py",
            "    ### BEGIN SOLUTION\n    # A number and itself.\n    return x + x\n",
            "    return x + x\n    ### BEGIN SOLUTION\n    pass\n",
            "the outcome of the untouched stub is passed",
        ),
        ("answer.py", "# %% try", "# try", "has no line `# %% try`"),
        ("words.md", "Think.", "", "hint 1 is empty. Write it"),
        ("words.md", "Hint: 1", "Hint: 9", "names hint 9"),
        ("words.md", "\nHint: 1", "", "the finding other-result names no hint"),
        ("words.md", "## 3", "## 4", "must be called 3"),
        ("words.md", "## squared:", "## tripled:", "no wrong answer gets the finding tripled"),
        ("words.md", "## squared:", "## tripled:", "words.md has no finding squared"),
        (
            "wrong/squared.py",
            "# finding: squared",
            "# finding: none",
            "words.md has no finding none",
        ),
        (
            "wrong/squared.py",
            "# finding: squared",
            "",
            "the first line must name the outcome",
        ),
        ("wrong/squared.py", "x * x", "x + x", "passes the public cases. Add a case"),
        (
            "accepted/summed.py",
            "[x, x]",
            "[x, x, x]",
            "must pass, but its outcome is",
        ),
        ("cases.py", '"zero"', '"a large number"', "two of its cases are called “a large number”"),
        ("cases.py", "three, as in the task", "three", "none of its cases is the task's example"),
        ("cases.py", '"zero"', "str(rng.random())", "depend on the seed. Make them fixed"),
        ("cases.py", "rng.randrange(10_000, 99_999)", "12345", "no case draws a value"),
        (
            "cases.py",
            "    return [",
            "    return []\n    [",
            "returns no case. Write one for each rule",
        ),
        ("cases.py", "def cases", "def draws", "has no function `cases(rng)`"),
        ("cases.py", "OneCall(seconds=0.3)", "OneCall", "must define exactly one Observer"),
        ("cases.py", "observer =", "contract = 2\nobserver =", "is written for contract 2"),
        ("cases.py", "observer =", "# TODO: think\nobserver =", "still contains TODO"),
        ("cases.py", '{"x": 0}', '{"x": None}', "answer.py fails the case “zero”"),
        ("task.md", "# 6", "# 7", "says `double(3)  # 7`, but the answer returns 6"),
        (
            "wrong/one_more.py",
            "x + 1",
            "x * x",
            "must be other-result, but it is squared",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(copy, file, old, new, said):
    edit(double(copy) / file, old, new)
    try:
        found = problems(copy)
    except ExerciseError as error:
        found = str(error)
    assert said in found


CELLS = """# %% one_less
# finding: other-result
def double(x):
    return x - 1

# %% another
# finding: {}
def double(x):
    return {} * x
"""


@pytest.mark.parametrize(
    ("finding", "factor", "said"),
    [
        ("other-result", 5, ""),
        ("other-result", "x", "cell another must be other-result, but it is"),
        ("other-result", 2, "others.py, cell another passes the public cases. Add a case"),
        ("none", 5, "words.md has no finding none"),
        ("", 5, "others.py, cell another: the first line must name the outcome"),
    ],
)
def test_an_answer_in_a_cell_is_proven_like_one_in_a_file(copy, finding, factor, said):
    (double(copy) / "wrong" / "others.py").write_text(CELLS.format(finding, factor))
    try:
        found = problems(copy)
    except ExerciseError as error:
        found = str(error)
    assert said in found and bool(said) == bool(found)


def test_an_edited_notebook_is_reported(copy):
    notebook = copy / "assignments/source/90_toy/90_toy.ipynb"
    edit(notebook, "It returns twice", "It gives twice")
    assert "course absorb" in problems(copy, rebuilt=False)


def test_strays_and_strangers_are_reported(copy):
    (double(copy) / "notes.txt").write_text("?")
    stranger = double(copy).parent / "triple"
    shutil.copytree(double(copy), stranger)
    found = problems(copy)
    assert "notes.txt is no part of an exercise" in found
    assert "is an exercise that course.toml does not name. Add toy.triple there" in found


def test_a_stale_survivor_is_reported(copy):
    (double(copy) / "survivors.toml").write_text('[survivors]\n"`a` → `b`" = "no such mutant"\n')
    assert "which is not a mutant. Delete it" in problems(copy)


def test_a_program_to_fix_must_fail_with_the_error_that_is_shown(copy):
    edit(copy / "course.toml", 'kind = "write"', 'kind = "fix"')
    assert "the program to fix is missing" in problems(copy)
    task = double(copy) / "task.md"
    broken = "\n```python\ndef double(x):\n    return x + y\n```\n\n```text\nNameError: {}\n```\n"
    right = task.read_text()
    task.write_text(right + broken.format("name 'y' is not defined"))
    assert problems(copy) == ""
    task.write_text(right + broken.format("something else"))
    assert "with `NameError: name 'y' is not defined`" in problems(copy)
    task.write_text(right + broken.replace("x + y", "x + x"))
    assert "passes the check. Show a program with a fault" in problems(copy)


def test_a_program_to_fix_stands_below_the_solution(copy):
    """So it is released in the cell of the answer, and is no part of the solution."""
    edit(copy / "course.toml", 'kind = "write"', 'kind = "fix"')
    answer, task = double(copy) / "answer.py", double(copy) / "task.md"
    edit(answer, "### END SOLUTION\n", "### END SOLUTION\n    # Fix it.\n    return x + y\n")
    task.write_text(task.read_text() + "\n```text\nNameError: name 'y' is not defined\n```\n")
    assert problems(copy) == ""
    assert "x + y" in to_be_fixed(double(copy)) and "x + y" in stub(double(copy))
    assert "x + y" not in reference(double(copy))
    edit(answer, "return x + y", "return x + x")
    assert "passes the check. Show a program with a fault" in problems(copy)


def test_a_scaffold_runs_and_is_accepted_only_when_it_is_finished(copy):
    made = new_exercise(copy, "toy.triple")
    assert made.pop(0) == copy / "course.toml" and len(made) == 9
    found = problems(copy)
    for path in made:
        if "todo" in path.read_text().lower():
            assert f"{path} still contains TODO" in found
            path.write_text(path.read_text().replace("TODO", "Done").replace("todo-", ""))
    assert "has the title TODO" in found
    edit(copy / "course.toml", 'title = "TODO"', 'title = "Triple a number"')
    assert problems(copy) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("triple", "Write TOPIC.NAME"),
        ("toys.triple", "No assignment has the topic toys"),
        ("toy.double", "exists already"),
        ("toy.../x", "Write TOPIC.NAME"),
    ],
)
def test_a_scaffold_of_another_name_writes_nothing(copy, name, said):
    before = (copy / "course.toml").read_text()
    with pytest.raises(ExerciseError, match=said):
        new_exercise(copy, name)
    assert (copy / "course.toml").read_text() == before


def test_names_of_assignments_and_topics_stand_for_their_exercises(copy):
    for name in ("90_toy", "toy", "toy.double"):
        assert verify.verify_course(copy, [name], lambda line: None) == []
    with pytest.raises(CourseError, match=r"did you mean toy\.double"):
        verify.verify_course(copy, ["toy.duble"], lambda line: None)


def test_mutants_are_single_faults_and_leave_docstrings_alone():
    source = 'def f(a, b):\n    """Add."""\n    if a == b:\n        return a + 1\n    return b\n'
    changes = [mutant.change for mutant in mutants(source)]
    assert changes == [
        "`if a == b: …` → `if not a == b: …`",
        "`return b` → `return None`",
        "`a == b` → `a != b`",
        "`return a + 1` → `return None`",
        "`a + 1` → `a - 1`",
        "`1` → `2`",
    ]
    for mutant in mutants(source):
        compile(mutant.source, "mutant", "exec")
        assert "Add." in mutant.source
