"""Text and notebooks: the round trip, and that neither side ever loses an edit."""

import contextlib
import json
import os
import random
from pathlib import Path

import jupytext
import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jupytext.config import load_jupytext_configuration_file
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from course_authoring.text import absorb, build, notebook_from_text, text_from_notebook
from course_utils.errors import CourseError
from course_utils.manifest import repository_root

SOLUTION = {
    "grade": False,
    "grade_id": "double",
    "locked": False,
    "schema_version": 3,
    "solution": True,
    "task": False,
}
CHECK = SOLUTION | {
    "grade": True,
    "grade_id": "double_check",
    "locked": True,
    "points": 4,
    "solution": False,
}
TEXT = f'''\
# %% [markdown] {{"slug": "title"}}
# # Tensors — 张量 😀
#
# Prose with """triple quotes""" and a list:
# - `x.to(device)`

# %% {{"slug": "look"}}
# !nvidia-smi
# %timeit -n 1 sum(range(10))
files = 3  # a comment

# %% {{"slug": "shell"}}
# %%time
text = """
# %% not a cell
"""

# %% {{"slug": "empty"}}

# %% {{"slug": "tagged", "tags": ["remember", "übung"]}}
x = 1


def f():
    return x

# %% {{"nbgrader": {json.dumps(SOLUTION)}}}
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% {{"nbgrader": {json.dumps(CHECK, sort_keys=True)}}}
check("foo.double", double)
'''
TEXT = TEXT.replace("übung", "\\u00fcbung")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "notebooks/text").mkdir(parents=True)
    (tmp_path / "notebooks/text/01_a.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "notebooks/text/01_foo.py").write_text(TEXT, encoding="utf-8")
    return tmp_path


def edit(path: Path, change) -> None:
    """Change a notebook as JupyterLab would: read, change, write."""
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def run_traces(notebook) -> None:
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.7"}
    notebook.metadata["widgets"] = {"application/x": {"state": {}}}
    cell = notebook.cells[1]
    cell.execution_count = 7
    cell.outputs = [new_output("stream", text="hello")]
    cell.metadata["execution"] = {"iopub.execute_input": "2025-01-01T00:00:00Z"}
    cell.metadata["scrolled"] = True
    cell.metadata["jupyter"] = {"outputs_hidden": True}


def change_source(notebook) -> None:
    notebook.cells[0].source += "\nOne more line."


# --- the round trip


def test_text_becomes_a_canonical_notebook():
    notebook = notebook_from_text(TEXT)
    ids = [cell.id for cell in notebook.cells]
    assert ids == ["title", "look", "shell", "empty", "tagged", "double", "double_check"]
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert "jupytext" not in notebook.metadata
    assert notebook.cells[0].source.endswith("list:\n- `x.to(device)`")
    assert notebook.cells[1].source.startswith("!nvidia-smi\n%timeit -n 1")
    assert notebook.cells[2].source.startswith("%%time")
    assert notebook.cells[3].source == ""
    assert notebook.cells[5].metadata.nbgrader == SOLUTION
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")


def test_text_to_notebook_to_text_is_the_identity():
    notebook = notebook_from_text(TEXT)
    assert text_from_notebook(notebook) == TEXT
    again = nbformat.reads(nbformat.writes(notebook), as_version=4)
    assert text_from_notebook(again) == TEXT


def test_jupytext_itself_writes_the_same_text_under_our_settings():
    config = load_jupytext_configuration_file(str(repository_root() / "jupytext.toml"))
    notebook = jupytext.reads(TEXT, fmt="py:percent", config=config)
    assert jupytext.writes(notebook, fmt="py:percent", config=config) == TEXT


LINES = st.one_of(
    st.sampled_from(["!nvidia-smi", "%timeit f(x)", "%%bash", "a = !ls", "f?", "ls", "# !ls", "%"]),
    st.sampled_from(['"""', "'''", "```", "# %% a cell?", "# + x", "---", "\\", "#", "# jupyter:"]),
    st.sampled_from(["x = 1", "", "  ", "\ttab", "def f():", "    return 1", "é 漢 😀", "$x^2$"]),
    st.sampled_from(["a\u2028b", "a\x0cb", "#!/bin/sh"]),
)
SOURCES = st.lists(LINES, max_size=5).map("\n".join) | st.text(max_size=30)
CELLS = st.builds(
    lambda make, source: make(source),
    st.sampled_from([new_code_cell, new_markdown_cell, new_raw_cell]),
    SOURCES,
)


@pytest.mark.more
@pytest.mark.slow
@settings(max_examples=250, deadline=None, database=None)
@given(st.lists(CELLS, min_size=1, max_size=3))
def test_any_cells_survive_or_are_refused(cells):
    try:
        text = text_from_notebook(new_notebook(cells=cells))
    except CourseError as refusal:
        assert "cannot be written as text" in str(refusal)
        return
    notebook = notebook_from_text(text)
    assert text_from_notebook(notebook) == text
    assert [cell.cell_type for cell in notebook.cells] == [cell.cell_type for cell in cells]
    for old, new in zip(cells, notebook.cells, strict=True):
        assert new.source == (old.source.strip("\n") if old.source.strip() else "")


def test_what_is_ordinary_is_never_refused():
    prose = [
        "# The `%timeit` magic\n",
        "100 %\n\n```python\n# x\n```",
        '"""',
        "- a\n  - b",
        "```\n!ls\n```",
    ]
    code = ["!ls -l | wc", "%%bash\nls\n", "f?", "# x", 'a = """\n!ls\n"""', "files = !ls"]
    cells = [*map(new_markdown_cell, prose), *map(new_code_cell, code)]
    again = notebook_from_text(text_from_notebook(new_notebook(cells=cells)))
    assert [cell.source for cell in again.cells] == [cell.source.strip("\n") for cell in cells]


def test_a_cell_without_a_slug_is_named_and_gets_a_proposal():
    with pytest.raises(CourseError) as caught:
        notebook_from_text(TEXT + "\n# %% [markdown]\n# ## Why `id` lies\n# More.\n")
    assert "cell 8, “## Why `id` lies” has no slug" in str(caught.value)
    assert '# %% [markdown] {"slug": "why-id-lies"}' in str(caught.value)


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ('"slug": "look"', '"slug": "title"', "has the name title, as an earlier cell"),
        ('"slug": "look"', '"slug": "no spaces"', "has the name 'no spaces'. Use 1 to 64 letters"),
        ('"slug": "look"', '"slug": 3', "has the name 3. Use"),
        ('"grade_id": "double"', '"grade_id": "title"', "has the name title, as an earlier cell"),
        (', "task": false}}\ndef', "}}\ndef", "nbgrader lacks task"),
        ('"locked": false', '"locked": 0', "nbgrader's locked is 0. Write true or false"),
        ('"points": 4, ', "", "a graded cell needs points"),
        ('"schema_version": 3', '"schema_version": 2', "schema_version is 2. Use 3"),
        ("# %% [markdown]", "x = 0\n# %% [markdown]", "cell 1, “x = 0” has no slug"),
        ("x = 1", "x = 1\x0c", "has an invisible line break"),
        ('["remember", "\\u00fcbung"]', '"remember"', "not a valid notebook"),
        (TEXT, "", "there is no cell"),
    ],
)
def test_text_that_makes_no_notebook(old, new, sentence):
    assert old in TEXT
    with pytest.raises(CourseError) as caught:
        notebook_from_text(TEXT.replace(old, new, 1))
    assert sentence in str(caught.value)


def test_a_pasted_picture_is_refused_not_lost():
    cell = new_markdown_cell("![](attachment:a.png)", attachments={"a.png": {"image/png": "AAAA"}})
    with pytest.raises(CourseError, match="pasted picture"):
        text_from_notebook(new_notebook(cells=[cell]))


def test_new_cells_and_copies_get_slugs_of_their_own():
    notebook = notebook_from_text(TEXT)
    copy = new_code_cell("x = 2", metadata={"slug": "look"})
    notebook.cells[1:1] = [copy, new_markdown_cell("## The *new* idea\n"), new_code_cell("")]
    again = notebook_from_text(text_from_notebook(notebook))
    ids = [cell.id for cell in again.cells]
    assert ids[:5] == ["title", "x-2", "the-new-idea", "cell", "look"]


def test_two_cells_with_one_grade_id_are_refused():
    notebook = notebook_from_text(TEXT)
    notebook.cells.append(new_code_cell("pass", metadata={"nbgrader": SOLUTION}))
    with pytest.raises(CourseError, match="two cells have the grade_id double"):
        text_from_notebook(notebook)


# --- build


def test_build_makes_notebooks_and_then_has_nothing_to_do(repository):
    changes = build(repository)
    assert [(change.name, change.what) for change in changes] == [
        ("01_a", "created"),
        ("01_foo", "created"),
    ]
    paths = [
        repository / "notebooks/01_a.ipynb",
        repository / "notebooks/01_foo.ipynb",
    ]
    assert [change.path for change in changes] == paths
    before = [path.stat().st_mtime_ns for path in paths]
    assert build(repository) == []
    assert build(repository, check=True) == []
    assert absorb(repository) == []
    assert [path.stat().st_mtime_ns for path in paths] == before


def test_check_reports_and_writes_nothing(repository):
    assert [change.what for change in build(repository, check=True)] == ["created", "created"]
    assert not (repository / "notebooks/01_a.ipynb").exists()
    build(repository)
    (repository / "notebooks/text/01_a.py").write_text(TEXT.replace("x = 1", "x = 2"))
    before = (repository / "notebooks/01_a.ipynb").read_bytes()
    assert [str(change) for change in build(repository, check=True)] == [
        f"{repository / 'notebooks/01_a.ipynb'}: updated"
    ]
    assert (repository / "notebooks/01_a.ipynb").read_bytes() == before
    assert [change.what for change in build(repository, ["01_a"])] == ["updated"]
    assert build(repository, check=True) == []


def test_a_notebook_that_was_only_run_is_not_edited(repository):
    build(repository)
    notebook = repository / "notebooks/01_a.ipynb"
    before = notebook.read_bytes()
    edit(notebook, run_traces)
    assert absorb(repository) == []
    assert "without outputs" in build(repository, check=True)[0].what
    (repository / "notebooks/text/01_a.py").write_text(TEXT.replace("x = 1", "x = 2"))
    assert [change.what for change in build(repository)] == ["updated"]
    (repository / "notebooks/text/01_a.py").write_text(TEXT, encoding="utf-8")
    edit(notebook, run_traces)
    build(repository)
    assert notebook.read_bytes() == before


def test_build_leaves_an_edited_notebook_alone(repository):
    build(repository)
    notebook, text = repository / "notebooks/01_a.ipynb", repository / "notebooks/text/01_a.py"
    edit(notebook, change_source)
    edited = notebook.read_bytes()
    text.write_text(TEXT.replace("x = 1", "x = 2"))
    (repository / "notebooks/text/01_foo.py").write_text(TEXT.replace("x = 1", "x = 3"))
    with pytest.raises(CourseError) as caught:
        build(repository)
    assert "run `course absorb 01_a`, or `course build --discard 01_a`" in str(caught.value)
    assert notebook.read_bytes() == edited
    assert len(build(repository, check=True)) == 2  # nothing was written, the other pair included
    assert [change.what for change in build(repository, ["01_a"], discard=True)] == ["updated"]
    assert "x = 2" in notebook.read_text()


def test_build_names_what_it_cannot_use(repository):
    with pytest.raises(CourseError, match=r"called 01_fo; did you mean 01_foo\?"):
        build(repository, ["01_fo"])
    (repository / "notebooks/text/01_a.py").write_text("# %%\nx = 1\n")
    with pytest.raises(CourseError, match=r"text/01_a\.py: cell 1, “x = 1” has no slug"):
        build(repository)
    (repository / "notebooks/text/01_a.py").write_bytes(b"# %%\n\xff")
    with pytest.raises(CourseError, match="not UTF-8"):
        build(repository)
    (repository / "notebooks/text/01_a.py").unlink()
    (repository / "notebooks/01_a.ipynb").write_text("{}")
    with pytest.raises(CourseError, match="has no text; run `course absorb 01_a`"):
        build(repository)


def test_a_notebook_that_is_no_json_is_not_overwritten_unasked(repository):
    notebook = repository / "notebooks/01_a.ipynb"
    notebook.write_text("<<<<<<< HEAD")
    for command in (build, absorb):
        with pytest.raises(CourseError, match="course build --discard 01_a"):
            command(repository)
    assert notebook.read_text() == "<<<<<<< HEAD"
    build(repository, discard=True)
    assert build(repository, check=True) == []


def test_windows_line_ends_and_a_byte_order_mark_make_the_same_notebook(repository):
    build(repository)
    text = repository / "notebooks/text/01_a.py"
    text.write_bytes(b"\xef\xbb\xbf" + text.read_bytes().replace(b"\n", b"\r\n"))
    assert build(repository, check=True) == []


# --- absorb


def test_absorb_brings_an_edit_back(repository):
    build(repository)
    notebook, text = repository / "notebooks/01_a.ipynb", repository / "notebooks/text/01_a.py"
    edit(notebook, change_source)
    edit(notebook, lambda nb: nb.cells.append(new_code_cell("y = x.to(device)")))
    edit(notebook, run_traces)
    assert [(change.path, change.what) for change in absorb(repository)] == [(text, "absorbed")]
    assert "# One more line.\n" in text.read_text(encoding="utf-8")
    assert text.read_text(encoding="utf-8").endswith(
        '# %% {"slug": "y-x-to-device"}\ny = x.to(device)\n'
    )
    assert build(repository, check=True) == []
    assert absorb(repository) == []


def test_absorb_makes_a_missing_text(repository):
    build(repository)
    text = repository / "notebooks/text/01_foo.py"
    text.unlink()
    assert [change.what for change in absorb(repository, ["01_foo"])] == ["created"]
    assert text.read_text(encoding="utf-8") == TEXT


def test_a_conflict_loses_neither_side(repository):
    build(repository)
    notebook, text = repository / "notebooks/01_a.ipynb", repository / "notebooks/text/01_a.py"
    edit(notebook, change_source)
    text.write_text(TEXT.replace("x = 1", "x = 2"), encoding="utf-8")
    sides = notebook.read_bytes(), text.read_bytes()
    for _ in range(2):
        with pytest.raises(CourseError) as caught:
            absorb(repository)
        assert "`course build --discard 01_a`" in str(caught.value)
        assert "`course absorb --discard 01_a`" in str(caught.value)
    beside = repository / "notebooks/text/01_a.from-notebook.py"
    assert "One more line." in beside.read_text(encoding="utf-8")
    assert sorted(os.listdir(text.parent)) == [beside.name, text.name, "01_foo.py"]
    assert (notebook.read_bytes(), text.read_bytes()) == sides
    edit(notebook, change_source)
    with pytest.raises(CourseError, match=r"01_a\.from-notebook-2\.py"):
        absorb(repository)
    assert absorb(repository, discard=True)[0].what == "absorbed"
    assert text.read_text(encoding="utf-8").count("One more line.") == 2
    assert build(repository, check=True) == []


def test_the_same_edit_on_both_sides_is_no_conflict(repository):
    build(repository)
    edit(repository / "notebooks/01_a.ipynb", change_source)
    text = repository / "notebooks/text/01_a.py"
    text.write_text(TEXT.replace("device)`\n", "device)`\n# One more line.\n"), encoding="utf-8")
    assert [change.what for change in absorb(repository)] == ["up to date again"]
    assert build(repository, check=True) == []


def test_a_write_that_fails_leaves_the_old_file(repository, monkeypatch):
    build(repository)
    notebook = repository / "notebooks/01_a.ipynb"
    before = notebook.read_bytes()
    (repository / "notebooks/text/01_a.py").write_text(TEXT.replace("x = 1", "x = 2"))

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CourseError, match="The disk is full"):
        build(repository)
    assert notebook.read_bytes() == before
    assert sorted(os.listdir(notebook.parent)) == ["01_a.ipynb", "01_foo.ipynb", "text"]


def test_many_random_edits_never_lose_a_line(repository):
    """Whatever the order of edits, runs, builds and absorbs, every line written stays somewhere."""
    rng = random.Random(2)
    notebook, text = repository / "notebooks/01_a.ipynb", repository / "notebooks/text/01_a.py"
    build(repository)
    written: list[str] = []
    for step in range(25):
        line = f"line number {step}"
        match rng.choice(["text", "notebook", "run", "build", "absorb"]):
            case "text":
                head, _, tail = text.read_text(encoding="utf-8").partition("\n")
                text.write_text(f"{head}\n# {line}\n{tail}", encoding="utf-8")
                written.append(line)
            case "notebook":
                edit(
                    notebook,
                    lambda nb, line=line: nb.cells[0].update(
                        source=f"{line}\n" + nb.cells[0].source
                    ),
                )
                written.append(line)
            case "run":
                edit(notebook, run_traces)
            case command:
                with contextlib.suppress(CourseError):
                    {"build": build, "absorb": absorb}[command](repository)
        everything = text.read_text(encoding="utf-8") + notebook.read_text(encoding="utf-8")
        assert all(line in everything for line in written)
