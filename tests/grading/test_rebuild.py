"""Answers are put into the instructor's notebook, whatever happened to the student's."""

import copy
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from courses import ASSIGNMENTS, references, released
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from course_notebooks.rebuild import Rebuilt, rebuild

ROOT = Path(__file__).resolve().parents[2]
TENSORS = released("02_tensors")
NAMES = [
    cell.metadata.nbgrader.grade_id
    for cell in TENSORS.cells
    if cell.metadata.get("nbgrader", {}).get("solution")
]
FIRST, SECOND, THIRD, *_ = NAMES


def answer(name: str, text: str = "") -> str:
    """A cell that defines `name`, known by what the function returns."""
    return f"def {name}():\n    return {text or repr(name)}"


def submission(answers: dict[str, str] | None = None) -> NotebookNode:
    """The released notebook with `answers`, one for each exercise where none are given."""
    notebook = copy.deepcopy(TENSORS)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        chosen = {name: answer(name) for name in NAMES} if answers is None else answers
        cell.source = chosen.get(name, cell.source)
    return notebook


def place(notebook: NotebookNode, name: str) -> int:
    return next(i for i, cell in enumerate(notebook.cells) if cell.id == name)


def named(notebook: NotebookNode, name: str) -> NotebookNode:
    return notebook.cells[place(notebook, name)]


def strip(notebook: NotebookNode) -> NotebookNode:
    """All that names a cell is lost, as when a notebook went through other programs."""
    for number, cell in enumerate(notebook.cells):
        cell.metadata, cell.id = NotebookNode(), f"x{number}"
    return notebook


def grades(rebuilt: Rebuilt, scope: dict[str, Any] | None = None) -> dict[str, Any]:
    """What each check meets when the notebook is run from top to bottom, with a check of ours."""
    seen: dict[str, Any] = {}

    def check(name: str, function: Callable[[], Any]) -> None:
        short = name.partition(".")[2]
        try:
            seen[short] = function()
        except NotImplementedError:
            seen[short] = "stub"

    scope = {"check": check, "devices": []} | (scope or {})
    stubs = {cell.id: cell.source for cell in TENSORS.cells}
    for cell in rebuilt.notebook.cells:
        if cell.cell_type != "code" or cell.id == "setup":
            continue
        if cell.source == stubs.get(cell.id) and cell.id in NAMES:
            exec(answer(cell.id, "'stub'"), scope)
            continue
        try:
            exec(cell.source, scope)
        except Exception as error:
            seen[cell.id] = error
    return {name: seen.get(name, seen.get(f"{name}_check")) for name in NAMES}


RIGHT = {name: name for name in NAMES}
RIGHT_CELLS = {name: answer(name) for name in NAMES}


def rebuilt(notebook: NotebookNode, released: NotebookNode = TENSORS) -> Rebuilt:
    """Rebuild, and check what holds for every rebuilt notebook."""
    before = copy.deepcopy((released, notebook))
    result = rebuild(released, notebook)
    assert (released, notebook) == before, "an argument was changed"
    nbformat.validate(result.notebook)
    ours = {cell.id: cell for cell in released.cells}
    kept = [cell for cell in result.notebook.cells if cell.id in ours]
    assert [cell.id for cell in kept] == list(ours)
    assert result.notebook.metadata == released.metadata
    for cell in kept:
        assert (cell.metadata, cell.cell_type) == (ours[cell.id].metadata, ours[cell.id].cell_type)
        if not cell.metadata.get("nbgrader", {}).get("solution") and not cell.id.endswith("_try"):
            assert cell.source == ours[cell.id].source
    for cell in result.notebook.cells:
        if cell.id not in ours:
            assert cell.metadata == {} and cell.id in result.origin
    return result


def said(result: Rebuilt, words: str) -> str:
    (sentence,) = [sentence for sentence in result.repaired if words in sentence]
    return sentence


# What is as it should be.


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_released_notebook_stays_as_it_is(name):
    result = rebuilt(released(name), released(name))
    assert result.notebook.cells == released(name).cells
    assert (result.held, result.repaired, result.origin) == ({}, (), {})


@pytest.mark.parametrize("name", ASSIGNMENTS)
@pytest.mark.parametrize("stripped", [False, True], ids=["named", "stripped"])
def test_every_reference_finds_its_place(name, stripped):
    right = references(name, parts=True)
    notebook = copy.deepcopy(released(name))
    for cell in notebook.cells:
        cell.source = right.get(cell.id, cell.source)
    result = rebuilt(strip(notebook) if stripped else notebook, released(name))
    assert result.held == {}
    assert {short: named(result.notebook, short).source for short in right} == right
    assert len(result.notebook.cells) == len(released(name).cells)
    assert bool(result.repaired) == stripped


def test_an_answer_knows_the_cell_that_it_came_from():
    notebook = submission()
    notebook.cells.insert(4, new_code_cell("helper = 1"))
    result = rebuilt(notebook)
    assert result.origin[FIRST] == place(notebook, FIRST)
    assert [result.origin[c.id] for c in result.notebook.cells if c.source == "helper = 1"] == [4]


def test_nothing_of_a_forged_cell_counts():
    notebook = submission({})
    forged = {
        "grade": True,
        "solution": False,
        "locked": True,
        "points": 1000,
        "task": False,
        "grade_id": "extra_check",
        "schema_version": 3,
    }
    notebook.cells.append(new_code_cell("2 + 2", metadata={"nbgrader": forged, "tags": ["x"]}))
    named(notebook, f"{FIRST}_check").metadata.nbgrader.points = 1000
    named(notebook, f"{FIRST}_check").source = "1000"
    notebook.metadata.kernelspec.name = "evil"
    result = rebuilt(notebook)
    assert "extra_check" in said(result, "no such exercise")
    assert f"{FIRST}_check" in said(result, "put back as released: ")


# Names and metadata that are lost, or there twice.


def test_stripped_metadata_costs_nothing():
    result = rebuilt(strip(submission()))
    assert (result.held, grades(result)) == ({}, RIGHT)
    assert all(name in said(result, "by the function") for name in NAMES)


def test_the_cells_id_is_enough():
    notebook = submission()
    for cell in notebook.cells:
        cell.metadata = NotebookNode()
    result = rebuilt(notebook)
    assert grades(result) == RIGHT
    assert FIRST in said(result, "cell's id")


@pytest.mark.parametrize("name", [f"{FIRST}_check", f"{FIRST}_task", "setup", f"{FIRST}_try"])
def test_a_copied_cell_of_ours_is_left_out(name):
    notebook = submission()
    notebook.cells.append(copy.deepcopy(named(notebook, name)))
    notebook.cells[-1].id = "copy"
    result = rebuilt(notebook)
    assert (grades(result), result.repaired) == (RIGHT, ())
    assert len(result.notebook.cells) == len(TENSORS.cells)


@pytest.mark.parametrize("last", [answer(FIRST, "'last'"), "stub", "print(1)", "def broken(:"])
def test_of_several_copies_the_last_answer_counts(last):
    notebook = submission()
    twin = copy.deepcopy(named(notebook, FIRST))
    twin.id, twin.source = "twin", named(TENSORS, FIRST).source if last == "stub" else last
    notebook.cells.insert(place(notebook, FIRST) + 1, twin)
    result = rebuilt(notebook)
    expected = "last" if "'last'" in last else FIRST
    seen = grades(result)
    assert seen == RIGHT | {FIRST: expected}
    assert bool(result.repaired) == (expected == "last")


def test_an_answer_in_a_cell_of_its_own_wins_over_the_stub():
    for at in (0, place(TENSORS, FIRST), place(TENSORS, FIRST) + 1, len(TENSORS.cells)):
        notebook = submission({name: answer(name) for name in NAMES if name != FIRST})
        notebook.cells.insert(at, new_code_cell(answer(FIRST)))
        assert grades(rebuilt(notebook)) == RIGHT
        assert grades(rebuilt(strip(notebook))) == RIGHT


# Cells that were cut, merged, retyped, moved.


@pytest.mark.parametrize("helper_has_the_name", [True, False])
def test_a_helper_may_stand_in_one_cell_and_the_answer_in_the_next(helper_has_the_name):
    notebook = submission()
    at = place(notebook, FIRST)
    helper, wanted = f"def helper():\n    return {FIRST!r}", answer(FIRST, "helper()")
    first, second = copy.deepcopy(notebook.cells[at]), new_code_cell()
    first.source, second.source = helper, wanted
    if not helper_has_the_name:
        first.metadata, second.metadata = second.metadata, first.metadata
        first.id, second.id = second.id, first.id
    notebook.cells[at : at + 1] = [first, second]
    assert grades(rebuilt(notebook)) == RIGHT
    assert grades(rebuilt(strip(notebook))) == RIGHT


def test_a_function_that_was_cut_in_two_is_whole_again():
    notebook = submission({**RIGHT_CELLS, FIRST: f"def {FIRST}():\n    x = 1"})
    rest = new_code_cell(f"    x += 1\n    return {FIRST!r} if x == 2 else 'cut'")
    notebook.cells.insert(place(notebook, FIRST) + 1, rest)
    result = rebuilt(notebook)
    assert grades(result) == RIGHT
    assert FIRST in said(result, "joined")
    assert grades(rebuilt(strip(notebook))) == RIGHT


@pytest.mark.parametrize("kind", [new_markdown_cell, new_raw_cell])
def test_a_retyped_answer_is_code_again(kind):
    notebook = submission()
    at = place(notebook, FIRST)
    old = notebook.cells[at]
    notebook.cells[at] = kind(old.source, metadata=old.metadata, id=old.id)
    result = rebuilt(notebook)
    assert grades(result) == RIGHT
    assert FIRST in said(result, "text cell")


@pytest.mark.parametrize("text", ["I could not do this one.", f"```\n{answer(FIRST)}\n```"])
def test_an_answer_that_was_turned_into_prose_is_held(text):
    notebook = submission()
    at = place(notebook, FIRST)
    old = notebook.cells[at]
    notebook.cells[at] = new_markdown_cell(text, metadata=old.metadata, id=old.id)
    result = rebuilt(notebook)
    assert set(result.held) == {FIRST}
    assert text in [cell.source for cell in result.notebook.cells]
    assert result.held[FIRST].endswith(".") and f"cell {at + 1}" in result.held[FIRST]


@pytest.mark.parametrize("keeper", [FIRST, SECOND])
@pytest.mark.parametrize("other", ["deleted", "stub", "empty"])
def test_two_answers_in_one_cell_both_count(keeper, other):
    both = f"{answer(FIRST)}\n\n\n{answer(SECOND)}"
    lost = SECOND if keeper == FIRST else FIRST
    notebook = submission({**RIGHT_CELLS, keeper: both, lost: named(TENSORS, lost).source})
    if other == "empty":
        named(notebook, lost).source = ""
    if other == "deleted":
        del notebook.cells[place(notebook, lost)]
    result = rebuilt(notebook)
    assert (result.held, grades(result)) == ({}, RIGHT)
    assert SECOND in said(result, "one cell")
    assert named(result.notebook, FIRST).source == both
    assert FIRST in named(result.notebook, SECOND).source.splitlines()[0]


def test_everything_at_the_end_of_the_notebook_counts():
    notebook = submission({})
    notebook.cells += [
        new_code_cell("def part(x):\n    return x"),
        new_code_cell("import functools as tools\ndef same(x):\n    return part(x)"),
        *(new_code_cell(answer(name, f"same({name!r})")) for name in NAMES),
    ]
    result = rebuilt(notebook)
    assert grades(result) == RIGHT
    assert "cell" in said(result, "Moved")
    together = submission({})
    together.cells.append(new_code_cell("\n\n".join(RIGHT_CELLS.values())))
    assert grades(rebuilt(together)) == RIGHT
    assert grades(rebuilt(strip(together))) == RIGHT


def test_an_answer_may_use_a_later_exercise_that_stood_above_it():
    notebook = submission({**RIGHT_CELLS, FIRST: answer(FIRST, f"{THIRD}() and {FIRST!r}")})
    for name in (THIRD, f"{THIRD}_check"):
        notebook.cells.insert(2, notebook.cells.pop(place(notebook, name)))
    assert grades(rebuilt(notebook)) == RIGHT


@pytest.mark.parametrize("where", ["check", "try"])
def test_an_answer_typed_into_another_cell_of_ours_counts(where):
    notebook = submission({name: answer(name) for name in NAMES if name != FIRST})
    cell = named(notebook, f"{FIRST}_{where}")
    cell.source = f"{answer(FIRST)}\n\n{cell.source}"
    assert grades(rebuilt(notebook)) == RIGHT


def test_what_was_tried_stays_and_a_helper_in_it_works():
    notebook = submission({**RIGHT_CELLS, SECOND: answer(SECOND, f"tried() and {SECOND!r}")})
    named(notebook, f"{FIRST}_try").source = "def tried():\n    return True"
    result = rebuilt(notebook)
    assert grades(result) == RIGHT
    assert "tried" in named(result.notebook, f"{FIRST}_try").source


def test_a_helper_in_an_edited_test_cell_is_kept():
    notebook = submission({**RIGHT_CELLS, SECOND: answer(SECOND, f"tried() and {SECOND!r}")})
    named(notebook, f"{FIRST}_check").source += "\ndef tried():\n    return True"
    result = rebuilt(notebook)
    assert grades(result) == RIGHT
    assert f"{FIRST}_check" in said(result, "Edited or deleted, and put back as released: ")


def test_magics_and_shell_lines_stay_where_they_are():
    lines = "%matplotlib inline\n!ls\nhelp?"
    timed = f"%%time\n{answer(SECOND)}"
    shell = f"!pip list\nrows = !ls\n{answer(THIRD)}\n{THIRD}?"
    notebook = submission({**RIGHT_CELLS, SECOND: timed, THIRD: shell})
    notebook.cells.insert(place(notebook, FIRST), new_code_cell(lines))
    for way in (notebook, strip(copy.deepcopy(notebook))):
        result = rebuilt(way)
        texts = [cell.source for cell in result.notebook.cells]
        assert texts.index(lines) == texts.index(RIGHT_CELLS[FIRST]) - 1
        assert named(result.notebook, SECOND).source == timed
        assert named(result.notebook, THIRD).source == shell
        assert result.held == {}


# The setup.


@pytest.mark.slow
@pytest.mark.parametrize("stripped", [False, True])
def test_a_deleted_setup_is_back(stripped):
    notebook = submission()
    del notebook.cells[place(notebook, "setup")]
    result = rebuilt(strip(notebook) if stripped else notebook)
    assert grades(result) == RIGHT
    assert "setup" in said(result, "above what was added")


def test_what_was_added_to_the_setup_is_kept_and_what_was_changed_is_not():
    notebook = submission({**RIGHT_CELLS, FIRST: answer(FIRST, "own.dumps(tell())[1:-1]")})
    setup = named(notebook, "setup")
    setup.source = (
        "import os; os.environ['CUDA_VISIBLE_DEVICES'] = ''; other = lab(gpus=1)\n"
        "%matplotlib inline\n"
        "import json as own\n"
        + setup.source.replace("gpus=4", "gpus=1")
        + f"\n@staticmethod\ndef tell():\n    return {FIRST!r}\ntell = tell.__func__\ncheck = print"
    )
    result = rebuilt(notebook)
    assert grades(result) == RIGHT
    added = result.notebook.cells[place(result.notebook, "setup") + 1].source
    assert "lab" not in added and "check" not in added and "matplotlib" not in added
    assert "import json as own" in added


def test_nothing_of_the_student_runs_before_the_setup():
    notebook = submission()
    notebook.cells.insert(0, new_code_cell("early = 1"))
    sources = [cell.source for cell in rebuilt(notebook).notebook.cells]
    assert sources.index("early = 1") > sources.index(named(TENSORS, "setup").source)


# What is not there.


@pytest.mark.parametrize("how", ["deleted", "emptied"])
def test_a_deleted_answer_is_not_attempted(how):
    notebook = submission()
    if how == "deleted":
        del notebook.cells[place(notebook, FIRST)]
    else:
        named(notebook, FIRST).source = " \n"
    result = rebuilt(notebook)
    assert (result.held, grades(result)) == ({}, RIGHT | {FIRST: "stub"})
    assert FIRST in said(result, "without an answer")


def test_an_untouched_stub_is_not_attempted_whatever_its_layout():
    notebook = submission({name: answer(name) for name in NAMES if name != FIRST})
    named(notebook, FIRST).source += "\n\n"
    for way in (notebook, strip(copy.deepcopy(notebook))):
        result = rebuilt(way)
        assert (result.held, grades(result)) == ({}, RIGHT | {FIRST: "stub"})
        assert not any("without an answer" in sentence for sentence in result.repaired)


@pytest.mark.parametrize(
    "text", [answer("renamed"), f"def {FIRST}(:\n    return 1", "class Other:\n    pass", "x = = 2"]
)
@pytest.mark.parametrize("stripped", [False, True])
def test_what_may_be_the_answer_is_held(text, stripped):
    notebook = submission()
    at = place(notebook, FIRST)
    notebook.cells[at] = new_code_cell(text)
    result = rebuilt(strip(notebook) if stripped else notebook)
    assert set(result.held) == {FIRST}
    assert f"cell {at + 1}" in result.held[FIRST]


@pytest.mark.parametrize("keeper", [f"{FIRST}_task", f"{FIRST}_try", f"{FIRST}_check"])
@pytest.mark.parametrize("kind", ["markdown", "raw", "code"])
def test_an_answer_that_was_merged_into_a_text_of_ours_is_held(keeper, kind):
    """As JupyterLab merges cells: the first one's metadata, the chosen kind, both texts."""
    notebook = submission()
    texts = [
        named(notebook, keeper).source,
        "Mine:",
        notebook.cells.pop(place(notebook, FIRST)).source,
    ]
    merged = named(notebook, keeper)
    merged.update(source="\n\n".join(texts), cell_type=kind)
    result = rebuilt(notebook)
    assert set(result.held) == {FIRST}
    assert f"cell {place(notebook, keeper) + 1}" in result.held[FIRST]
    assert any(cell.source == merged.source for cell in result.notebook.cells)  # to be read there


@pytest.mark.parametrize("added", ["", "I do not know.", "STUB"])
def test_a_starting_text_that_was_merged_is_not_attempted(added):
    notebook = submission({name: answer(name) for name in NAMES if name != FIRST})
    stub = notebook.cells.pop(place(notebook, FIRST)).source
    named(notebook, f"{FIRST}_task").source += f"\n\n{added.replace('STUB', stub)}"
    result = rebuilt(notebook)
    assert (result.held, grades(result)) == ({}, RIGHT | {FIRST: "stub"})


def test_a_broken_answer_in_its_own_cell_is_graded_not_held():
    result = rebuilt(submission({**RIGHT_CELLS, FIRST: f"def {FIRST}(:"}))
    assert result.held == {}
    assert isinstance(grades(result)[FIRST], SyntaxError)


def test_a_helper_of_another_answer_is_no_reason_to_hold():
    notebook = submission({**RIGHT_CELLS, SECOND: answer(SECOND, f"help_me() and {SECOND!r}")})
    notebook.cells[place(notebook, FIRST)] = new_code_cell("def help_me():\n    return 1")
    result = rebuilt(notebook)
    assert (result.held, grades(result)) == ({}, RIGHT | {FIRST: "stub"})


# Other notebooks.


@pytest.mark.slow
def test_another_release_is_matched_by_name_and_the_rest_is_held():
    older = submission()
    gone = {FIRST, f"{FIRST}_task", f"{FIRST}_check", f"{FIRST}_try"}
    older.cells = [cell for cell in older.cells if cell.id not in gone]
    removed = copy.deepcopy(named(older, SECOND))
    removed.id, removed.source = "long_gone", answer("long_gone")
    removed.metadata.nbgrader.grade_id = "long_gone"
    older.cells.append(removed)
    result = rebuilt(older)
    assert set(result.held) == {FIRST}
    assert "another version" in result.held[FIRST]
    assert {name: seen for name, seen in grades(result).items() if name != FIRST} == {
        name: name for name in NAMES if name != FIRST
    }
    assert "long_gone" in said(result, "no such exercise")


@pytest.mark.parametrize("other", ["03_modules", "empty", "blank"])
def test_another_notebook_is_held_as_a_whole(other):
    notebooks = {"empty": new_notebook(), "blank": new_notebook(cells=[new_code_cell("")])}
    result = rebuilt(notebooks.get(other) or released(other))
    assert set(result.held) == set(NAMES)
    assert all("or another notebook: ask" in why for why in result.held.values())


def test_graded_text_is_taken_as_it_is():
    meta = {
        "grade": True,
        "solution": True,
        "locked": False,
        "grade_id": "essay",
        "points": 3,
        "schema_version": 3,
        "task": False,
    }
    essay = new_markdown_cell("YOUR ANSWER HERE", id="essay", metadata={"nbgrader": meta})
    released = new_notebook(cells=[essay])
    written = copy.deepcopy(released)
    written.cells[0].source = "Because."
    assert rebuild(released, written).notebook.cells[0].source == "Because."
    assert rebuild(released, released).notebook == released


# Anything at all.


def mishaps() -> st.SearchStrategy[list[tuple[str, int]]]:
    kinds = [
        "copy",
        "move",
        "drop ours",
        "strip one",
        "retype",
        "new id",
        "note",
        "scratch",
        "merge",
    ]
    return st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 10**6)), max_size=8)


def happen(notebook: NotebookNode, events: Iterable[tuple[str, int]]) -> None:
    for kind, seed in events:
        draw = random.Random(seed)
        at = draw.randrange(len(notebook.cells))
        cell = notebook.cells[at]
        solution = any(name in cell.source for name in RIGHT_CELLS.values())
        if kind == "copy":
            notebook.cells.insert(draw.randrange(len(notebook.cells)), copy.deepcopy(cell))
        elif kind == "move":
            notebook.cells.insert(draw.randrange(len(notebook.cells)), notebook.cells.pop(at))
        elif kind == "drop ours" and not solution:
            notebook.cells.pop(at)
        elif kind == "strip one":
            cell.metadata = NotebookNode()
        elif kind == "new id":
            cell.id = f"id-{seed}"
        elif kind == "retype" and cell.cell_type == "code" and "nbgrader" in cell.metadata:
            named_cell = new_raw_cell(cell.source, metadata=cell.metadata, id=cell.id)
            notebook.cells[at] = named_cell
        elif kind == "note":
            notebook.cells.insert(at, new_markdown_cell("A note."))
        elif kind == "scratch":
            notebook.cells.insert(at, new_code_cell("for number in range(3):\n    pass"))
        elif kind == "merge" and at + 1 < len(notebook.cells):
            below = notebook.cells[at + 1]
            plain = all(
                each.cell_type == "code" and "check" not in each.source for each in (cell, below)
            )  # neither the setup nor a test, whose own error would stop the cell
            if plain:
                cell.source += f"\n\n{notebook.cells.pop(at + 1).source}"
    seen: set[str] = set()
    for number, cell in enumerate(notebook.cells):
        if cell.id in seen:  # as `read_submission` leaves it
            cell.id = f"unnamed-{number}"
        seen.add(cell.id)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(mishaps(), st.booleans())
def test_whatever_happens_to_the_cells_no_right_answer_is_lost(events, stripped):
    notebook = submission()
    if stripped:
        strip(notebook)
    happen(notebook, events)
    result = rebuilt(notebook)
    seen = grades(result)
    for name in NAMES:
        assert seen[name] == name or name in result.held
