"""What a lesson asks for is not printed before: not in its own text, nor by a cell of it."""

import re
from pathlib import Path

import pytest

from course_utils.program.holes import HOLES, after, early, parts
from lesson_parts.project import part

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def told_apart(name: str) -> set[str]:
    """The lines by which the final form of a part is known from its early one."""
    final, first = (
        {line.strip() for line in parts("\n".join(files.values()))[name].splitlines()}
        for files in (after("13"), early())
    )
    return {line for line in final - first if len(line) > 20}


@pytest.mark.parametrize("hole", HOLES, ids=lambda hole: hole.name)
def test_no_page_shows_a_line_of_a_part_that_is_still_to_be_written(hole):
    lines = told_apart(hole.name)
    assert lines
    for file in (NOTEBOOKS / "text").glob("*.py"):
        if file.name[:2] > hole.lesson:
            continue
        text = file.read_text("utf-8")
        shown = {line.strip() for line in text.splitlines()}
        for lesson, name in re.findall(r'project\.part\("(\d\d)", "(\w+)"\)', text):
            shown |= {line.strip() for line in part(lesson, name).splitlines()}
        assert not shown & lines, file.name
    for file in NOTEBOOKS.glob("*.md"):
        assert not {line for line in lines if line in file.read_text("utf-8")}, file.name
