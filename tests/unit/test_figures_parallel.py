"""The figures of lesson 07, and the helpers whose results they draw."""

import subprocess
import sys

import pytest
import torch

from course_utils.errors import CourseError
from course_utils.experiments.ranks import run_ranks
from course_utils.figures import Picture, batch_split, schedule

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


def test_a_split_says_which_samples_are_where():
    script = """
import torch
from torch.nn.parallel import scatter
from course_utils import lab
from course_utils.figures import batch_split
devices = lab(gpus=4)
for batch in (10, 5, 1):
    print(batch_split(scatter(torch.arange(batch), devices), devices))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[1:] == [
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
    "picture",
    [
        schedule(DAY, title="t" * 40, unit="min", modelled=True),
        schedule({"w" * 30: [("scatter", 0, 0.001), ("replicate", 0.5, 1234.5678)]}, title="T"),
        batch_split([torch.arange(64)], devices=["cuda:0", "cuda:7"], title="t" * 40),
        batch_split([torch.arange(20)]),
    ],
)
def test_text_stays_inside_the_page(picture):
    picture.figure.canvas.draw()
    page = picture.figure.bbox
    for area in (text.get_window_extent() for text in picture.figure.axes[0].texts):
        assert page.x0 <= area.x0 and area.x1 <= page.x1
        assert page.y0 <= area.y0 and area.y1 <= page.y1


def test_drawing_is_the_same_every_time():
    assert schedule(DAY, title="T").svg() == schedule(DAY, title="T").svg()


@pytest.mark.slow
def test_phases_are_those_of_the_wrapper():
    script = """
import torch
from torch import nn
from course_utils import lab
from course_utils.experiments import phases
from course_utils.experiments.phases import run_phases
devices = lab(gpus=4)
net, x = nn.Linear(3, 2).to(devices[0]), torch.randn(10, 3)
ran = run_phases(net, x, devices)
print([[str(part.device), len(part)] for part in ran.parts])
print(torch.equal(ran.output, nn.DataParallel(net)(x)), ran.output.requires_grad)
print([[what for what, *_ in spans] for spans in ran.lanes.values()])
print(ran.time >= max(end for spans in ran.lanes.values() for *_, end in spans) > 0)
print([what for what, *_ in run_phases(net, x, devices[:1]).lanes["cuda:0"]])
print(run_phases(net, x[:2], devices).lanes["cuda:3"])
measured = phases._measured(net, x, devices)
print(measured.kind, [what for what, *_ in measured.lanes["cuda:3"]], measured.time > 0)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    told = ran.stdout.splitlines()[1:]
    assert told[0] == "[['cuda:0', 3], ['cuda:1', 3], ['cuda:2', 3], ['cuda:3', 1]]"
    assert told[1] == "True True"
    if "virtual" in ran.stdout:  # on real GPUs each phase is measured on all of them at once
        main, *others = [["scatter", "replicate", "replicate", "replicate", "apply", "gather"]] + [
            ["scatter", "apply", "gather"]
        ] * 3
        assert told[2] == str([main, *others])
        assert told[4] == "['scatter', 'apply']"
        assert told[5] == "[]"
    assert told[3] == "True"
    assert told[6] == "measured ['scatter', 'replicate', 'apply', 'gather'] True"


@pytest.mark.slow
def test_ranks_exchange_gradients_and_answer_in_order():
    def gradient(rank):
        net = DDP(nn.Linear(1, 1, bias=False))  # noqa: F821 (a rank has these names)
        net(torch.tensor([[1.0 + rank]])).sum().backward()
        return [rank, net.module.weight.grad.item()]

    assert run_ranks(gradient) == [[0, 1.5], [1, 1.5]]


@pytest.mark.slow
def test_a_rank_that_fails_is_told_and_does_not_leave_the_other_waiting():
    def fails(rank):
        if rank == 1:
            raise ValueError("no such sample")
        dist.barrier()  # noqa: F821 (a rank has this name)

    with pytest.raises(CourseError, match=r"Rank 1 of 2 failed: .*ValueError: no such sample"):
        run_ranks(fails)


@pytest.mark.slow
def test_ranks_that_hang_are_ended():
    def hangs(rank):
        import time

        time.sleep(600)

    with pytest.raises(CourseError, match="not done after 3 seconds"):
        run_ranks(hangs, seconds=3)
