"""The pictures of lesson 09 show what was recorded and measured; recordings add up."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from course_utils.devices import current_lab, lab
from course_utils.experiments import recording
from course_utils.experiments.datasets import Pictures, WhoLoads, make_pictures
from course_utils.experiments.loader_sweep import Measurement, measure_loader, sweep
from course_utils.experiments.recording import Recording, record, utilisation_readings
from course_utils.figures import Picture, loop_timelines, sweep_chart, utilisation_chart


def recorded(modelled: bool = True) -> Recording:
    lanes = {
        "host": [("load a batch", 0, 100), ("wait", 100, 150)],
        "copies": [("H2D", 100, 150), ("H2D", 160, 260)],
        "kernels": [("mm", 150, 200), ("add", 200, 210), ("mm", 240, 300)],
    }
    return Recording(modelled, lanes)


def measurements() -> list[Measurement]:
    return [Measurement(0, 16, False, 100, 0.1, 2.0), Measurement(1, 64, True, 100, 0.2, 1.0)]


def words(picture: Picture) -> list[str]:
    return [text.get_text() for text in picture.figure.axes[0].texts]


def pictures() -> list[Picture]:
    return [
        loop_timelines({"plain": recorded(), "ahead": recorded()}),
        sweep_chart(measurements()),
        utilisation_chart({"slow": [0, 20, 70, 95, 0], "fast": [100]}, modelled=True),
    ]


def test_a_recording_adds_up():
    one = recorded()
    assert one.end == 300
    assert one.busy("kernels") == 120 and one.busy("copies") == 150
    assert one.gaps() == 30  # 210 to 240
    assert one.overlap() == 70  # 160 to 210, 240 to 260
    assert Recording(True).end == Recording(True).gaps() == Recording(True).overlap() == 0


def test_timelines_tell_the_same_in_words():
    picture = loop_timelines({"plain": recorded(), "ahead": recorded()}, title="T")
    assert picture.alt.startswith("Modelled timelines, 'T'. plain: done after 0.30 ms")
    assert "0.07 ms overlap with kernels" in picture.alt
    assert {"plain", "ahead", "modelled", "host", "copies", "kernels"} <= set(words(picture))
    assert "measured" in words(loop_timelines({"plain": recorded(modelled=False)}))


def test_waiting_is_drawn_otherwise_than_working():
    axes = loop_timelines({"plain": recorded()}).figure.axes[0]
    looks = {(patch.get_facecolor(), patch.get_hatch()) for patch in axes.patches[1:]}
    assert len(looks) == 4  # loading, waiting, copies, kernels


def test_the_fastest_setting_is_marked():
    picture = sweep_chart(measurements())
    assert "Fastest: 1 worker, batch size 64, pinned." in picture.alt
    assert "100 ← fastest" in words(picture) and "50" in words(picture)
    assert "measured" in words(picture)


def test_readings_are_written_out():
    picture = utilisation_chart({"slow": [0, 20, 70, 95, 0]}, modelled=False)
    assert picture.alt.endswith("slow: 0, 20, 70, 95, 0.")
    assert [w for w in words(picture) if w.isdigit()] == ["0", "20", "70", "95", "0"]
    assert "measured" in words(picture)


def test_text_stays_inside_the_page_and_apart():
    for picture in pictures():
        picture.figure.canvas.draw()
        page = picture.figure.bbox
        areas = [text.get_window_extent() for text in picture.figure.axes[0].texts]
        assert all(page.x0 <= area.x0 and area.x1 <= page.x1 for area in areas)
        assert all(page.y0 <= area.y0 and area.y1 <= page.y1 for area in areas)
        inner = [area.padded(-4) for area in areas]
        for number, area in enumerate(inner):
            assert not any(area.overlaps(other) for other in inner[number + 1 :])


def test_drawing_is_the_same_every_time():
    assert [a.svg() for a in pictures()] == [b.svg() for b in pictures()]


@pytest.fixture(scope="module")
def gpu() -> torch.device:
    return (current_lab() or lab(gpus=4))[0]


def test_a_recording_of_virtual_gpus_is_that_of_their_trace(gpu):
    with record(gpu) as one:
        recording.host_works(100)
        torch.zeros(1024).to(gpu) + 1
    assert one.modelled
    assert one.lanes["host"][0][0] == "load a batch"
    assert one.busy("copies") > 10 and one.busy("kernels") > 1
    assert one.overlap() == 0


def test_a_loop_that_waits_for_its_loader_shows_in_the_readings(gpu):
    slow = utilisation_readings(gpu, load=2.0, compute=0.9)
    fast = utilisation_readings(gpu, load=0.4, compute=0.9)
    assert max(slow) >= 80 and min(slow[5:]) == 0
    assert min(fast[4:]) >= 99


def test_a_profile_of_a_real_gpu_becomes_a_recording():
    """What the profiler gives, as far as can be told without a GPU."""
    kinds = torch.autograd.DeviceType

    def event(name: str, kind: torch.autograd.DeviceType, start: float, end: float) -> object:
        time = SimpleNamespace(start=start, end=end)
        return SimpleNamespace(name=name, device_type=kind, time_range=time)

    one = Recording(modelled=False)
    recording._read_profile(
        [
            event("host: load a batch", kinds.CPU, 1000, 1300),
            event("host: load a batch", kinds.CUDA, 1000, 1300),
            event("aten::to", kinds.CPU, 1300, 1310),
            event("Memcpy HtoD (Pinned -> Device)", kinds.CUDA, 1310, 1400),
            event("ampere_sgemm", kinds.CUDA, 1400, 1500),
        ],
        one,
    )
    assert one.lanes == {
        "host": [("load a batch", 0, 300)],
        "copies": [("Memcpy HtoD (Pinned -> Device)", 310, 400)],
        "kernels": [("ampere_sgemm", 400, 500)],
    }


def test_pictures_are_files_that_are_decoded(tmp_path):
    paths = make_pictures(tmp_path, count=3, side=64)
    data = Pictures(paths, side=32)
    assert len(data) == 3 and data[2].shape == (3, 32, 32) and data[2].dtype == torch.uint8
    assert not torch.equal(data[0], data[1])
    one = measure_loader(data, batch_size=2)
    assert one.samples == 3 and 0 < one.first <= one.total and one.rate > 0


def test_a_sweep_measures_every_setting_and_shows_its_progress(capsys):
    found = sweep(WhoLoads(4), workers=(0,), batch_sizes=(1, 2))
    assert [(one.batch_size, one.pinned) for one in found] == [
        (1, False), (1, True), (2, False), (2, True)
    ]
    assert capsys.readouterr().out == "4 settings: ▪▪▪▪ done\n"


LEFT_BEHIND = """
import gc
import torch
from torch.utils.data import DataLoader
from course_utils.experiments.datasets import WhoLoads

class Collecting(WhoLoads):
    def __getitem__(self, number):
        gc.collect()
        return super().__getitem__(number)

gc.disable()
left = [iter(DataLoader(WhoLoads(4), num_workers=1, multiprocessing_context="fork"))]
left.append(left)  # a circle, so that only the collector can end it
del left
print(len(list(DataLoader(Collecting(4), num_workers=2, multiprocessing_context="fork"))))
"""


@pytest.mark.slow
def test_an_iterator_left_behind_does_not_complain_in_a_worker():
    done = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("4\n", "")
