"""What is read of an exercise's folder, and which way the arrows run."""

import ast
import shutil
import sys
from importlib import reload
from pathlib import Path

import pytest

from exercise_kit import known, scaffold
from exercise_kit.errors import ExerciseError
from exercise_kit.folder import Exercise
from exercise_kit.judging import DataJudge, Look
from exercise_kit.truth import build
from exercise_kit.world import World

SOURCE = Path(__file__).parents[1] / "src" / "exercise_kit"
FEW = """
def cases(rng):
    return [("the task's example", {"x": 0}), ("one of two", {"x": rng.randint(1, 2)})]
"""
OBSERVE = """
from exercise_kit import Observer


class {name}(Observer):
    def observe(self, answer, inputs):
        return {{"result": answer(inputs["x"])}}
"""


@pytest.fixture
def few(tmp_path: Path) -> Exercise:
    """An exercise with so few draws that many are the public one."""
    folder = tmp_path / "numbers" / "half"
    (folder / "wrong").mkdir(parents=True)
    (folder / "cases.py").write_text(FEW)
    (folder / "answer.py").write_text("def half(x):\n    return x / 2\n")
    (folder / "words.md").write_text("# Findings\n\n# Hints\n")
    return Exercise("numbers.half", tmp_path, World())


def test_nothing_is_imported_but_python_and_the_kit() -> None:
    imported = set()
    for file in SOURCE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").partition(".")[0])
    assert imported - sys.stdlib_module_names == {"exercise_kit"}


def test_grading_never_runs_the_public_cases_alone(few: Exercise) -> None:
    build(few)
    (public,) = (case.data["x"] for case in few.public_cases if case.data["x"])
    for seed in map(str, range(50)):
        ((number, case),) = few.hidden_cases(seed)
        assert number == 2 and case.data["x"] != public
        assert case.right == {"result": {"type": "float", "value": case.data["x"] / 2}} | {
            "changed": []
        }


def test_what_is_shipped_says_of_what_it_was_made(few: Exercise) -> None:
    build(few)
    assert known.is_current(few.path)
    (few.path / "wrong" / "same.py").write_text("# finding: other\ndef half(x):\n    return x\n")
    assert not known.is_current(few.path)
    file = few.path / known.NAME
    file.write_text(file.read_text().replace('"contract": 1', '"contract": 9'))
    with pytest.raises(ExerciseError, match="was made for contract 9, and this is contract 1"):
        known.read(few.path)
    file.write_text("{")
    with pytest.raises(ExerciseError, match=r"cannot be read .* Build it again"):
        known.read(few.path)


def test_parameters_are_those_of_the_answer(few: Exercise) -> None:
    assert few.observer.parameters == ()
    build(few)
    assert few.observer.parameters == ("x",)
    assert Exercise(few.name, few.root, few.world).observer.parameters == ("x",)


def test_an_observer_is_the_only_one_of_its_file(few: Exercise) -> None:
    file = few.path / "observe.py"
    file.write_text(OBSERVE.format(name="Half"))
    assert type(few.observer).__name__ == "Half"
    file.write_text(OBSERVE.format(name="Half") + OBSERVE.format(name="Quarter"))
    reload(few.module("observe"))
    with pytest.raises(ExerciseError, match="must define exactly one Observer"):
        _ = Exercise(few.name, few.root, few.world).observer


@pytest.mark.parametrize(
    ("named", "order"),
    [
        (["result"], ["changed", "result", "left"]),
        (["left", "result", "changed"], ["left", "result", "changed"]),
    ],
)
def test_what_was_changed_is_looked_at_first(named: list[str], order: list[str]) -> None:
    judge = DataJudge(lambda rng: [], [Look(fact) for fact in named])
    assert [look.fact for look in judge.looks] == order


def test_a_new_folder_has_nothing_of_what_pip_compiled(tmp_path, monkeypatch) -> None:
    installed = shutil.copytree(SOURCE / "template", tmp_path / "template")
    compiled = installed / "wrong" / "__pycache__" / "squared.cpython-311.pyc"
    compiled.parent.mkdir(exist_ok=True)
    compiled.write_bytes(b"\xa7\r\r\n")
    monkeypatch.setattr(scaffold, "_TEMPLATE", installed)
    made = scaffold.new_folder(tmp_path, "sums.double")
    assert made and {file.suffix for file in made} == {".md", ".py"}
