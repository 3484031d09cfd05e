"""What surrounds an answer in this course: torch."""

import pytest

from course_utils.checking import world
from exercise_kit.observers import OneCall


class ElsewhereCall(OneCall):
    """Of an answer that is run in processes of its own."""

    in_processes = True


@pytest.mark.parametrize(("observer", "loads"), [(OneCall(), 1), (ElsewhereCall(), 0)])
def test_what_torch_loads_late_is_loaded_where_the_answer_runs(observer, loads, monkeypatch):
    """It takes seconds of the first check in a notebook."""
    loaded: list[int] = []
    monkeypatch.setattr(world, "load_lazy_parts", lambda: loaded.append(1))
    world.TorchWorld().ready(observer)
    assert len(loaded) == loads
