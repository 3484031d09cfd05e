"""`make real-gpu`, where virtual CUDA in processes of its own plays one real GPU, or two."""

from dataclasses import replace

import pytest

from conformance.recording import load_all
from tests import real_gpu
from tests.real_gpu import contradictions, measure, played_world, steps

pytestmark = pytest.mark.slow
FEW = ("picture 02.waits", "answers tensors.prepare", "programs probes of asserts")


def few(world):
    everything = steps(world)
    return {name: everything[name] for name in FEW}


@pytest.mark.parametrize("recording", load_all(), ids=lambda recording: recording.title)
def test_the_course_shows_what_a_real_gpu_showed(recording):
    assert [*contradictions(recording)] == []


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.more)])
def test_it_stops_goes_on_and_names_what_is_otherwise(count, tmp_path, capsys):
    world, partial = played_world(count), tmp_path / "partial.json"
    todo = few(world)

    def stop():
        raise KeyboardInterrupt

    assert measure(world, todo | {FEW[1]: stop}, partial, 15) is None
    said = capsys.readouterr().out
    assert f"3 steps on {', '.join(world.gpus)}; 0 are done already." in said
    assert "Nothing is sent anywhere." in said and "Stopped: 1 of 3 steps are done." in said
    found = measure(world, todo | {FEW[0]: stop}, partial, 15)  # it does not run again
    assert "; 1 are done already." in capsys.readouterr().out
    assert found.course["answers"]["tensors.prepare"]["the reference"] == "passed"
    assert len(found.facts) == 3 and "needs 4 GPUs" in " ".join(found.not_recorded.values())
    # The played GPU computes in the CPU's time, so it is idle at any moment.
    assert [each for each in contradictions(found) if "02.waits: a wait" not in each] == []

    probe, facts = next(iter(found.facts.items()))
    answers = {"tensors.prepare": found.course["answers"]["tensors.prepare"] | {"wrong cpu": "x"}}
    planted = replace(
        found,
        facts=found.facts | {probe: {"planted": facts}},
        course={"answers": answers, "picture": {"08.speeds": {"30": (1, 9), "240": (1, 5)}}},
    )
    said = "\n".join(contradictions(planted))
    assert probe in said and "tensors.prepare, wrong cpu: 'x', not None" in said
    assert "08.speeds: " in said


def test_the_time_ends_it_and_another_computer_begins_anew(tmp_path, capsys):
    world, partial = played_world(1), tmp_path / "partial.json"
    todo = {"picture a": dict, "picture b": dict}
    assert measure(world, todo, partial, -1) is None
    assert "Stopped: 0 of 2" in capsys.readouterr().out
    assert measure(world, todo, partial, 1).course["picture"] == {"a": {}, "b": {}}
    other = replace(world, driver="another")
    assert measure(other, todo, partial, -1) is None
    assert "; 0 are done already." in capsys.readouterr().out


def test_without_a_gpu_it_says_so(capsys, monkeypatch):
    monkeypatch.setattr(real_gpu.torch.cuda, "is_available", lambda: False)
    assert real_gpu.main() == 1
    assert "Nothing was recorded: PyTorch finds no GPU" in capsys.readouterr().out
