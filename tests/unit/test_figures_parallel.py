"""The figures of lesson 07, and the helpers whose results they draw."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from course_authoring.text import notebook_from_text
from course_utils.experiments.ranks import meet_locally
from course_utils.figures.picture import Picture
from lesson_parts.lanes import schedule
from lesson_parts.lesson07.batches import batch_split
from lesson_parts.lesson07.curves import speedup_curve
from lesson_parts.lesson07.flows import data_flow
from lesson_parts.lesson07.speedups import Costs
from tests.fresh import fresh

ROOT = Path(__file__).resolve().parents[2]
DAY = {
    "you": [("find", 0, 3), ("work", 3, 63), ("collect", 63, 66)],
    "friend": [("work", 3, 63)],
    "nobody": [],
}


def drawn(picture: Picture) -> list[str]:
    return [text.get_text() for text in picture.figure.axes[0].texts]


def test_lanes_say_who_does_what_and_when_all_is_done():
    alt = schedule(DAY, title="T", unit="min").alt
    assert alt == (
        "Schedule in min, 'T'. you: find from 0 to 3, work from 3 to 63 and collect from 63 to 66. "
        "friend: work from 3 to 63. nobody does nothing. All is done at 66 min."
    )


def test_lanes_of_a_model_say_so():
    assert "modelled" in drawn(schedule(DAY, title="T", modelled=True))
    assert schedule(DAY, title="T", modelled=True).alt.startswith("Modelled schedule in µs")
    assert "modelled" not in drawn(schedule(DAY, title="T"))


def test_lanes_are_not_more_exact_than_a_clock():
    picture = schedule({"a": [("copy", 5.04, 61.71), ("add", 61.71, 235.88)]}, title="T")
    assert "copy from 5.04 to 61.7 and add from 61.7 to 236. All is done at 236 µs." in picture.alt
    assert "1234 µs" in drawn(schedule({"a": [("copy", 0, 1), ("add", 1, 1234.5)]}, title="T"))


def test_lanes_draw_a_bar_for_each_span_and_name_each_kind_once():
    picture = schedule(DAY, title="T", unit="min")
    assert {"you", "friend", "nobody", "66 min"} <= set(drawn(picture))
    assert [drawn(picture).count(kind) for kind in ("find", "work", "collect")] == [1, 1, 1]
    assert len(picture.figure.axes[0].patches) == 4 + 3  # the spans, and the legend


def test_kinds_of_work_differ_without_colour():
    picture = schedule(DAY, title="T")
    assert len({patch.get_hatch() for patch in picture.figure.axes[0].patches}) == 3


def test_spans_that_follow_each_other_are_one_in_words():
    spans = [("copy", 0, 1), ("copy", 1, 2.5), ("add", 3, 4), ("copy", 4, 5), ("copy", 6, 7)]
    alt = schedule({"a": spans}, title="T").alt
    assert "a: copy from 0 to 2.5, add from 3 to 4 and copy from 4 to 7 in 2 pieces." in alt


def test_slivers_of_one_kind_become_one_bar_and_wide_bars_stay_apart():
    slivers = [("launch", moment, moment + 1) for moment in range(0, 600, 2)]
    wide = [("copy", 600, 800), ("copy", 800, 1000)]
    picture = schedule({"a": [*slivers, *wide]}, title="T")
    assert len(picture.figure.axes[0].patches) == 1 + 2 + 2  # and the legend
    assert "launch from 0 to 599 in 300 pieces and copy from 600 to 1000" in picture.alt


def test_a_span_that_ends_before_it_begins_is_refused():
    with pytest.raises(ValueError, match="'work' of you ends at 1, before it begins at 2"):
        schedule({"you": [("work", 2, 1)]}, title="T")


@pytest.mark.slow
def test_a_split_says_which_samples_are_where():
    script = """
import torch
from torch.nn.parallel import scatter
from course_utils import lab
from lesson_parts.lesson07.batches import batch_split
devices = lab(gpus=4)
for batch in (10, 5, 1):
    print(batch_split(scatter(torch.arange(batch), devices), devices))
"""
    said = fresh(script)
    assert said.splitlines()[1:] == [
        "Batch split, '10 samples on 4 GPUs'. The batch has 10 samples. cuda:0 gets 3 samples, "
        "number 0 to 2. cuda:1 gets 3 samples, number 3 to 5. cuda:2 gets 3 samples, number 6 to "
        "8. cuda:3 gets 1 sample, number 9.",
        "Batch split, '5 samples on 4 GPUs'. The batch has 5 samples. cuda:0 gets 2 samples, "
        "number 0 to 1. cuda:1 gets 2 samples, number 2 to 3. cuda:2 gets 1 sample, number 4. "
        "cuda:3 gets nothing.",
        "Batch split, '1 sample on 4 GPUs'. The batch has 1 sample. cuda:0 gets 1 sample, number "
        "0. cuda:1 gets nothing. cuda:2 gets nothing. cuda:3 gets nothing.",
    ]


def test_a_device_without_a_part_is_shown_as_idle():
    picture = batch_split([torch.arange(2)], devices=["cpu", "cuda:1"])
    assert "nothing to do" in drawn(picture)
    assert picture.alt == (
        "Batch split, '2 samples on 2 GPUs'. The batch has 2 samples. cpu gets 2 samples, number "
        "0 to 1. cuda:1 gets nothing."
    )


def test_samples_are_numbered_where_there_is_room():
    assert {"0", "1", "2"} <= set(drawn(batch_split([torch.arange(3)], title="T")))
    assert "2" not in drawn(batch_split([torch.arange(40)], title="T"))


def test_too_many_samples_are_refused():
    with pytest.raises(ValueError, match="65 samples are too many"):
        batch_split([torch.arange(65)])


@pytest.mark.parametrize(
    "draw",
    [
        lambda: schedule(DAY, title="t" * 40, unit="min", modelled=True),
        lambda: schedule(
            {"w" * 30: [("scatter", 0, 0.001), ("replicate", 0.5, 1234.5678)]}, title="T"
        ),
        lambda: batch_split([torch.arange(64)], devices=["cuda:0", "cuda:7"], title="t" * 40),
        lambda: batch_split([torch.arange(20)]),
        lambda: data_flow([0, 1, 2, 3]),
        lambda: speedup_curve(
            {4: {2**power: power / 3 for power in range(13)}},
            title="t" * 40,
            source="computed",
            mark=(4, 4096),
        ),
        lambda: speedup_curve({4: {8: 0.2, 4096: 3.9}}, title="T", source="modelled"),
    ],
)
def test_text_stays_inside_the_page(draw):
    picture = draw()
    picture.figure.canvas.draw()
    page = picture.figure.bbox
    texts = [text for axes in picture.figure.axes for text in axes.texts]
    for area in (text.get_window_extent() for text in texts):
        assert page.x0 <= area.x0 and area.x1 <= page.x1
        assert page.y0 <= area.y0 and area.y1 <= page.y1


def test_a_step_shows_what_each_wrapper_sends():
    picture = data_flow([2, 0])
    assert {"cuda:2", "cuda:0", "rank 0", "rank 1"} <= set(drawn(picture))
    assert {"1 scatter", "2 replicate", "3 apply, 4 gather", "6 add up"} <= set(drawn(picture))
    parallel, ddp = picture.alt.split("A step of DDP")
    assert "model: model on cuda:2, replica on the others; 2 replicate, from cuda:2" in parallel
    assert "optimizer: step on cuda:2 only" in parallel
    assert "all-reduce: the mean of all" in ddp and "optimizer: step on each" in ddp


@pytest.mark.parametrize("devices", [[0], [0, 1, 2, 3, 4]])
def test_too_few_or_too_many_gpus_for_a_step_are_refused(devices):
    with pytest.raises(ValueError, match=f"{len(devices)} GPUs cannot be drawn; 2 to 4 can"):
        data_flow(devices)


CURVES = {2: {8: 0.4, 64: 1.25}, 4: {8: 0.2, 64: 1.5}}


def test_a_curve_says_what_it_shows_and_where_it_comes_from():
    assert speedup_curve(CURVES, title="T", source="modelled", mark=(4, 64)).alt == (
        "Speed-up against batch size, modelled, 'T'. One GPU is 1. 2 GPUs: 0.40 at 8, 1.25 at 64. "
        "4 GPUs: 0.20 at 8, 1.50 at 64. Marked: 4 GPUs, 64 samples, 1.50."
    )


def test_curves_differ_without_colour_and_the_mark_has_its_number():
    picture = speedup_curve(CURVES, title="T", source="measured", mark=(4, 64))
    page, axes = picture.figure.axes
    assert "measured" in [text.get_text() for text in page.texts]
    two, four = axes.lines[:2]
    assert two.get_linestyle() != four.get_linestyle() and two.get_marker() != four.get_marker()
    assert [text.get_text() for text in axes.texts if "." in text.get_text()] == ["1.50"]


def test_a_single_short_curve_has_its_numbers():
    axes = speedup_curve({4: CURVES[4]}, title="T", source="modelled").figure.axes[1]
    assert {"0.20", "1.50"} <= {text.get_text() for text in axes.texts}


def test_costs_of_a_step_add_up():
    costs = Costs(sample=2, launch=300, exchange=200)
    assert costs.step(100, 1) == 300  # launching takes longer than computing
    assert costs.step(1000, 1) == 2000
    assert costs.step(1000, 4) == 3 * 200 + max(4 * 300, 2 * 250)
    assert costs.speedup(4096, 4) == 8192 / (600 + 2048)


def test_costs_follow_the_rule_of_the_split():
    assert Costs(sample=1, launch=0, exchange=0).step(10, 4) == 3


def test_drawing_is_the_same_every_time():
    assert schedule(DAY, title="T").svg() == schedule(DAY, title="T").svg()


@pytest.mark.slow
def test_phases_are_those_of_the_wrapper():
    script = """
import torch
from torch import nn
from course_utils import lab
from lesson_parts.lesson07 import phases
from lesson_parts.lesson07.phases import run_phases
devices = lab(gpus=4)
net, x = nn.Linear(3, 2).to(devices[0]), torch.randn(10, 3)
ran = run_phases(net, x, devices)
print([[str(part.device), len(part)] for part in ran.parts])
print(torch.equal(ran.output, nn.DataParallel(net)(x)), ran.output.requires_grad)
host, *gpus = ran.lanes.values()
print([[what for what, *_ in spans] for spans in gpus])
print([what for what, *_ in host], all(a[2] == b[1] for a, b in zip(host, host[1:])))
print(ran.time >= max(end for spans in ran.lanes.values() for *_, end in spans) > 0)
print([what for what, *_ in run_phases(net, x, devices[:1]).lanes["cuda:0"]])
print(run_phases(net, x[:2], devices).lanes["cuda:3"])
measured = phases._measured(net, x, devices)
print(measured.kind, [what for what, *_ in measured.lanes["cuda:3"]], measured.time > 0)
"""
    said = fresh(script)
    told = said.splitlines()[1:]
    assert told[0] == "[['cuda:0', 3], ['cuda:1', 3], ['cuda:2', 3], ['cuda:3', 1]]"
    assert told[1] == "True True"
    if "virtual" in said:  # on real GPUs each phase is measured on all of them at once
        main, *others = [["scatter", "replicate", "replicate", "replicate", "apply", "gather"]] + [
            ["scatter", "apply", "gather"]
        ] * 3
        assert told[2] == str([main, *others])
        assert told[3] == "['scatter', 'replicate', 'apply', 'gather'] True"
        assert told[5] == "['scatter', 'apply']"
        assert told[6] == "[]"
    assert told[4] == "True"
    assert told[7] == "measured ['scatter', 'replicate', 'apply', 'gather'] True"


@pytest.mark.slow
def test_a_step_takes_longer_with_more_work_and_trains_the_model():
    script = """
import json
import torch
from torch import nn
from course_utils import lab
from lesson_parts.lesson07.speedups import step_time
devices = lab(gpus=2)
net = nn.Linear(64, 64).to(devices[0])
before = net.weight.detach().clone()
times = [step_time(net, torch.ones(n, 64), torch.zeros(n, 64), devices[:g])
         for n, g in ((8, 1), (65536, 1), (8, 2))]
print(json.dumps([*times, torch.equal(before, net.weight)]))
"""
    said = fresh(script)
    small, large, shared, unchanged = json.loads(said.splitlines()[-1])
    assert 0 < small < large and not unchanged
    if "virtual" in said:
        assert shared > small  # organising eight samples costs more than computing them


def test_meeting_locally_keeps_what_is_set_already(monkeypatch):
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "eth7")
    monkeypatch.setenv("PATH", os.pathsep.join(["/somewhere", "/elsewhere"]))
    monkeypatch.delenv("PET_LOCAL_ADDR", raising=False)
    meet_locally()
    meet_locally()
    here = str(Path(sys.executable).parent)
    assert os.environ["PATH"].split(os.pathsep) == [here, "/somewhere", "/elsewhere"]
    assert os.environ["GLOO_SOCKET_IFNAME"] == "eth7"
    assert os.environ.pop("PET_LOCAL_ADDR") == "127.0.0.1"


@pytest.mark.more
@pytest.mark.slow
def test_the_lessons_script_trains_like_one_process(tmp_path, monkeypatch):
    """The very file that lesson 07 writes: two ranks, other losses, one gradient, equal weights."""
    lesson = notebook_from_text((ROOT / "notebooks/text/07_data_parallel.py").read_text("utf-8"))
    (cell,) = [cell for cell in lesson.cells if cell.source.startswith("%%writefile ddp.py\n")]
    (tmp_path / "ddp.py").write_text(cell.source.partition("\n")[2], encoding="utf-8")
    monkeypatch.setattr(os, "environ", os.environ.copy())
    meet_locally()
    command = ["python", "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    ran = subprocess.run(
        [*command, "ddp.py"],
        cwd=tmp_path,
        env=os.environ,
        text=True,
        capture_output=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    first, second = (line.partition(", gradient ") for line in sorted(ran.stdout.splitlines()))
    assert first[0].startswith("rank 0 of 2: loss ") and second[0].startswith("rank 1 of 2: loss ")
    assert first[0].split()[-1] != second[0].split()[-1]
    assert first[2] == second[2] != ""
    trained = torch.load(tmp_path / "ddp.pt")["weight"]
    assert torch.allclose(trained, _trained_alone(batch_size=16))
    assert not torch.allclose(trained, _trained_alone(batch_size=8))


def _trained_alone(batch_size):
    """The weights after the script's epoch in one process."""
    torch.manual_seed(0)
    data, targets, model = torch.randn(64, 4), torch.randn(64, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, wanted in zip(data.split(batch_size), targets.split(batch_size), strict=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(batch), wanted).backward()
        optimizer.step()
    return model.weight
