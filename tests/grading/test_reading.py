"""Whatever bytes a student hands in: a notebook of known form, or one sentence."""

import contextlib
import json
import os
import random
import socket
from pathlib import Path

import nbformat
import pytest
from courses import released
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_notebooks.reading import LARGEST, Unreadable, parse_submission, read_submission
from course_notebooks.rebuild import rebuild
from course_utils.errors import CourseError

RELEASED = released("02_tensors")
TEXT = nbformat.writes(RELEASED, ensure_ascii=False)


def parsed(content: object) -> NotebookNode:
    return parse_submission(json.dumps(content).encode(), "it")


def refusal(data: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        parse_submission(data, "it")
    sentence = str(caught.value)
    assert isinstance(caught.value, CourseError)
    assert sentence.startswith("it ") and sentence.endswith(".") and "\n" not in sentence
    return sentence


def sources(notebook: NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells]


def names(notebook: NotebookNode) -> list[str | None]:
    return [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_encoding_of_json_is_read(encoding, line_end, tmp_path):
    path = tmp_path / "02_tensors.ipynb"
    path.write_bytes(TEXT.replace("\n", line_end).encode(encoding))
    notebook = read_submission(path)
    assert sources(notebook) == sources(RELEASED)
    assert names(notebook) == names(RELEASED)
    assert [cell.id for cell in notebook.cells] == [cell.id for cell in RELEASED.cells]
    nbformat.validate(notebook)
    assert rebuild(RELEASED, notebook).repaired == ()


def test_line_ends_within_a_cell_are_made_one():
    notebook = new_notebook(cells=[new_code_cell("a = 1\r\nb = 2\rc = 3\n")])
    assert sources(parsed(notebook)) == ["a = 1\nb = 2\nc = 3\n"]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_old_formats_are_converted(version):
    cells = [
        {
            "cell_type": "code",
            "input": "x = 1",
            "outputs": [],
            "metadata": {},
            "language": "python",
            "collapsed": False,
            "prompt_number": 1,
        },
        {"cell_type": "markdown", "source": "text", "metadata": {}},
    ]
    old = {
        "nbformat": version,
        "nbformat_minor": 0,
        "metadata": {"name": ""},
        "worksheets": [{"cells": cells, "metadata": {}}],
    }
    if version == 1:
        old |= {"cells": [{"cell_type": "code", "code": "x = 1", "prompt_number": 1}]}
    assert sources(parsed(old))[0] == "x = 1"
    nbformat.validate(parsed(old))


def test_a_cell_needs_no_metadata_and_no_id():
    notebook = parsed({"cells": [{"cell_type": "code", "source": ["x = 1\n", "y = 2"]}, {}, 7]})
    assert sources(notebook) == ["x = 1\ny = 2", ""]
    nbformat.validate(notebook)


def test_ids_are_made_unique_and_stay_the_same():
    cells = [
        {"cell_type": "code", "source": "", "id": id_}
        for id_ in ("a", "a", "a", "", None, "ä", "unnamed-9", 3, "x")
    ]
    first, second = (parsed({"cells": [*cells, cells[-1]]}) for _ in range(2))
    assert [c.id for c in first.cells] == [c.id for c in second.cells]
    assert [first.cells[i].id for i in (0, 6, 8)] == ["a", "unnamed-9", "x"]
    nbformat.validate(first)


def test_metadata_is_cut_down_to_names():
    forged = {"grade_id": "x_check", "points": 1e9, "grade": True, "solution": "yes", "more": []}
    notebook = parsed(
        {
            "metadata": {"kernelspec": {"name": "evil"}},
            "cells": [
                {
                    "cell_type": "code",
                    "source": "",
                    "metadata": {"nbgrader": forged, "tags": ["x"]},
                },
                {"cell_type": "code", "source": "", "metadata": {"nbgrader": ["grade_id"]}},
                {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": ["a"]}}},
            ],
        }
    )
    flags = {"grade": True, "locked": False, "solution": False, "task": False}
    assert [cell.metadata for cell in notebook.cells] == [
        {"nbgrader": {"grade_id": "x_check", **flags}},
        {},
        {},
    ]
    assert notebook.metadata == {}


def test_outputs_of_text_are_kept_and_absurd_ones_dropped():
    shown = [
        new_output("stream", name="stdout", text="hello\n"),
        new_output("display_data", data={"text/plain": "1", "image/png": "aGk="}),
        new_output("error", ename="ValueError", evalue="no", traceback=["line"]),
    ]
    data = {"text/plain": ["1", "2"], "application/json": {"deep": [[]]}}
    odd = [
        {"output_type": "execute_result", "execution_count": "x", "data": data},
        {"output_type": "pyout"},
        3,
        {"output_type": "error", "traceback": 7},
    ]
    long = [new_output("stream", text="many lines\n" * 200_000)]
    cells = [new_code_cell(outputs=shown), new_code_cell(outputs=long)]
    notebook = parsed(
        new_notebook(cells=cells)
        | {"cells": [*cells, {"cell_type": "code", "source": "kept", "outputs": odd}]}
    )
    assert notebook.cells[0].outputs == shown
    assert notebook.cells[1].outputs == []
    assert [out.get("data") for out in notebook.cells[2].outputs] == [{"text/plain": "12"}, None]
    nbformat.validate(notebook)


def test_a_half_of_a_sign_does_not_stop_a_later_save(tmp_path):
    notebook = parsed({"cells": [{"cell_type": "code", "source": 'x = "\ud800"'}]})
    nbformat.write(notebook, tmp_path / "saved.ipynb")
    assert sources(notebook) == ['x = "?"']


@pytest.mark.parametrize("data", [b"", b"  \n", b"\0" * 5000])
def test_an_empty_file_is_named_so(data):
    assert "empty" in refusal(data)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode()[:-100],
        TEXT.encode() + b"}",
        TEXT.encode() + b"\0\0",
        b"PK\3\4 a zip",
        b"<!DOCTYPE html>",
        b"print(1)",
        TEXT.encode().replace(b'"cells"', b"<<<<<<< HEAD"),
        b'{"nbformat": ' + b"9" * 10_000 + b"}",
    ],
    ids=["cut", "more", "zeros", "zip", "page", "script", "conflict", "number"],
)
def test_what_is_no_json_is_refused(data):
    assert "not a notebook" in refusal(data)


@pytest.mark.parametrize(
    "content",
    [
        [],
        3,
        None,
        "text",
        {"nbformat": 5, "cells": []},
        {"nbformat": "four"},
        {"nbformat": None},
    ],
)
def test_what_is_no_notebook_is_refused(content):
    assert "version" in refusal(json.dumps(content).encode())


@pytest.mark.parametrize("content", [{}, {"nbformat": 4, "cells": {}}, {"cells": None}])
def test_a_notebook_without_cells_is_refused(content):
    assert "cells" in refusal(json.dumps(content).encode())


def test_other_encodings_are_refused():
    assert "UTF-8" in refusal('{"cells": "für"}'.encode("latin-1"))


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 1_000_000,
        b'{"cells": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b'{"a":' * 100_000,
        b"[" + b"[]," * 5_000_000 + b"[]]",
        b'{"nbformat": 3, "worksheets": ' + b"[" * 900 + b"]" * 900 + b"}",
    ],
)
def test_bombs_are_refused(data):
    refusal(data)


def test_depth_within_metadata_and_outputs_is_cut_off():
    deep = "[" * 800 + "]" * 800
    data = f'{{"cells": [{{"cell_type": "code", "source": "x", "metadata": {{"nbgrader": {deep}}}, '
    data += f'"outputs": [{{"output_type": "display_data", "data": {{"a/b": {deep}}}}}]}}]}}'
    notebook = parse_submission(data.encode(), "it")
    assert sources(notebook) == ["x"]
    nbformat.validate(notebook)


def test_too_many_cells_and_too_much_text_are_refused():
    assert "cells" in refusal(json.dumps({"cells": [{"source": ""}] * 6_000}).encode())
    assert "text" in refusal(json.dumps({"cells": [{"source": "x" * 5_000_000}]}).encode())


# Files.


def refused_file(path: Path) -> str:
    with pytest.raises(Unreadable) as caught:
        read_submission(path)
    return str(caught.value)


def test_a_large_file_is_refused_without_reading_it(tmp_path):
    path = tmp_path / "large.ipynb"
    with path.open("wb") as file:
        file.truncate(50 * LARGEST)  # sparse
    assert "20 MB" in refused_file(path)


def test_links_and_special_files_are_refused(tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_text(TEXT)
    link, pipe, place = tmp_path / "link.ipynb", tmp_path / "pipe.ipynb", tmp_path / "d.ipynb"
    link.symlink_to(secret)
    os.mkfifo(pipe)
    place.mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.ipynb"))
        assert "cannot be read" in refused_file(tmp_path / "s.ipynb")
    assert "link" in refused_file(link)
    assert "regular" in refused_file(pipe) and "regular" in refused_file(place)
    assert "regular" in refused_file(Path("/dev/zero"))
    assert "cannot be read" in refused_file(tmp_path / "missing.ipynb")


def test_no_descriptor_is_left_open(tmp_path):
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        refused_file(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_name_that_is_no_text_can_still_be_said(tmp_path):
    sentence = refused_file(Path(os.fsdecode(bytes(tmp_path) + b"/\xff\n\x1b[31m.ipynb")))
    sentence.encode()
    assert sentence.isprintable()


# Anything at all.


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(data):
    with contextlib.suppress(Unreadable):
        nbformat.validate(parse_submission(data, "it"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "cells",
                    "cell_type",
                    "source",
                    "metadata",
                    "nbgrader",
                    "grade_id",
                    "outputs",
                    "id",
                    "data",
                    "output_type",
                    "text",
                    "traceback",
                    "nbformat",
                    "worksheets",
                    "input",
                ]
            )
            | st.text(),
            inner,
            max_size=6,
        )
    ),
    max_leaves=40,
)


@pytest.mark.more
@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON,
                "source": JSON,
                "metadata": JSON,
                "outputs": st.lists(
                    st.fixed_dictionaries(
                        {
                            "output_type": st.sampled_from(
                                ["stream", "error", "display_data", "execute_result"]
                            )
                        },
                        optional={"data": JSON, "text": JSON, "traceback": JSON, "name": JSON},
                    )
                )
                | JSON,
                "id": JSON,
            },
        )
        | JSON,
        max_size=5,
    ),
    st.sampled_from([1, 2, 3, 4]),
)
def test_no_content_raises_anything_else(cells, version):
    content = {"nbformat": version, "cells": cells, "worksheets": [{"cells": cells}]}
    try:
        notebook = parsed(content)
    except Unreadable:
        assert version < 4
        return
    nbformat.validate(notebook)
    nbformat.validate(rebuild(RELEASED, notebook).notebook)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_a_damaged_notebook_is_read_or_refused(seed):
    draw, data = random.Random(seed), bytearray(TEXT.encode())
    for _ in range(draw.randrange(1, 6)):
        at = draw.randrange(len(data))
        data[at : at + draw.randrange(4)] = draw.randbytes(draw.randrange(4))
    try:
        notebook = parse_submission(bytes(data), "it")
    except Unreadable:
        return
    nbformat.validate(rebuild(RELEASED, notebook).notebook)


def test_a_markdown_cell_has_nothing_but_its_text_and_pictures():
    cell = new_markdown_cell("text", attachments={"a.png": {"image/png": "x"}})
    found = parsed(new_notebook(cells=[cell])).cells[0]
    assert set(found) == {"id", "cell_type", "source", "metadata", "attachments"}
    assert found["attachments"] == {"a.png": {"image/png": "x"}}
