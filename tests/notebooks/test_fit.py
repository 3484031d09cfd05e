"""Lesson 12: its GPT is that of the exercises."""

from typing import Any

import pytest
import torch

from course_authoring.text import notebook_from_text
from course_utils.checking.exercises import exercise
from course_utils.manifest import repository_root

pytestmark = pytest.mark.slow


def test_the_gpt_of_the_lesson_is_that_of_the_exercises():
    text = repository_root() / "notebooks" / "text" / "12_when_it_does_not_fit.py"
    (cell,) = (
        each.source
        for each in notebook_from_text(text.read_text("utf-8")).cells
        if each.source.startswith("%%writefile gpt.py\n")
    )
    lesson: dict[str, Any] = {}
    exec(cell.partition("\n")[2], lesson)
    observe = exercise("fit.sharded").module("observe")
    topic = observe.__name__.rsplit(".", 2)[0]
    shown = []
    for make in (lesson["GPT"], __import__(f"{topic}.gpt", fromlist=["_"]).GPT):
        torch.manual_seed(0)
        model = make(layers=2, width=16)
        shown.append((list(model.state_dict()), model(torch.arange(9).expand(2, 9))))
    assert shown[0][0] == shown[1][0]
    assert torch.equal(shown[0][1], shown[1][1])
