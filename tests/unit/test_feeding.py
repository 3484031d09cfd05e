"""What lesson 09 records, measures and computes: recordings, sweeps, readings."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch
from torch.utils.data import DataLoader

import virtual_cuda
from course_utils.checking.exercises import exercise
from course_utils.devices import current_lab, lab
from course_utils.experiments import recording
from course_utils.experiments.datasets import Pictures, make_pictures
from course_utils.experiments.recording import Recording, fed_loop, record
from exercise_kit.corpus import load_answer
from exercise_kit.reference import reference
from lesson_parts.lesson09.feeding import RECORDED, loop_timelines, smallest_gain
from lesson_parts.lesson09.loader_sweep import TOLERANCE, Sweep, sweep


def recorded(modelled: bool = True) -> Recording:
    lanes = {
        "host": [("load a batch", 0, 100), ("wait", 100, 150)],
        "copies": [("H2D", 100, 150), ("H2D", 160, 260)],
        "kernels": [("mm", 150, 200), ("add", 200, 210), ("mm", 240, 300)],
    }
    return Recording(modelled, lanes)


DECODING = Sweep("decoding", {0: (50, 60, 55), 2: (90, 101, 94), 4: (99, 80, 93)})


def test_a_recording_adds_up():
    one = recorded()
    assert one.end == 300
    assert one.busy("kernels") == 120 and one.busy("copies") == 150
    assert one.gaps() == 30  # 210 to 240
    assert one.overlap() == 70  # 160 to 210, 240 to 260
    assert Recording(True).end == Recording(True).gaps() == Recording(True).overlap() == 0


def test_a_sweep_chooses_workers_by_the_rule_of_best_settings():
    assert (DECODING.fastest, DECODING.choice) == (2, 2)
    source = reference(exercise("feeding.best_settings").path)
    for rates, choice in (
        ({0: (9, 10, 11), 2: (8, 13, 12), 4: (10, 14, 13)}, 2),
        ({4: (50, 51, 52), 2: (50, 50, 40), 0: (49, 49, 49)}, 0),
        ({0: (9, 8, 9), 4: (10, 10, 10)}, 4),
        ({0: (5, 5, 5)}, 0),
    ):
        times = {workers: [1000 / rate for rate in each] for workers, each in rates.items()}
        best_settings = load_answer(source, "best_settings", "<answer>")
        found = best_settings(lambda workers, t=times: t[workers].pop(0), [*rates], TOLERANCE)
        assert Sweep("", rates).choice == found == choice


def test_the_loops_are_drawn_from_the_source_that_is_asked_for():
    """The switch: recordings on the modelled clock, or seconds from elsewhere."""
    assert "Modelled timelines." in loop_timelines("modelled", {"plain": recorded()}).alt
    assert "on a real GPU" in loop_timelines("recorded", RECORDED).alt
    assert "on this computer, mine. before: 2.5 s." in loop_timelines("mine", {"before": 2.5}).alt
    with pytest.raises(ValueError, match="'modelled'"):
        loop_timelines("mine", {"plain": recorded()})


def test_the_smallest_gain_of_the_recorded_changes():
    assert smallest_gain(RECORDED) == "the second stream"
    assert smallest_gain({"a": 3, "b": 1, "c": 0.5}) == "c"


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
    slow = fed_loop(gpu, load=2.2, compute=0.9)
    fast = fed_loop(gpu, load=0.4, compute=0.9)
    assert slow.readings == [0, 0, 80, 10, 60, 30, 40, 50, 20, 70, 0, 90]
    assert max(slow.readings) - min(slow.readings) > 50 and slow.end == pytest.approx(11.9)
    assert fast.readings == [60, 100, 100, 100, 90]


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
    assert len(next(iter(DataLoader(data, batch_size=2)))) == 2


def test_a_sweep_measures_every_setting_in_every_round(capsys):
    found = sweep("waiting", workers=(0, 1), rounds=1)
    assert {workers: len(rates) for workers, rates in found.rates.items()} == {0: 1, 1: 1}
    assert 0 < max(found.rates[0]) <= 200  # no item comes sooner
    assert "Measuring: waiting" in capsys.readouterr().out


def test_a_copy_that_nobody_waited_for_is_late(gpu):
    values = torch.ones(8, device=gpu)
    with virtual_cuda.stale_copies():
        copied = values.to("cpu", non_blocking=True)
        before = copied.sum().item()
        torch.cuda.synchronize(gpu)
    assert before != 8 and copied.sum().item() == 8


LEFT_BEHIND = """
import gc
import torch
from torch.utils.data import DataLoader, Dataset
from course_utils.experiments import datasets

class Numbers(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, number):
        return number

class Collecting(Numbers):
    def __getitem__(self, number):
        gc.collect()
        return super().__getitem__(number)

gc.disable()
left = [iter(DataLoader(Numbers(), num_workers=1, multiprocessing_context="fork"))]
left.append(left)  # a circle, so that only the collector can end it
del left
print(len(list(DataLoader(Collecting(), num_workers=2, multiprocessing_context="fork"))))
"""


@pytest.mark.slow
def test_an_iterator_left_behind_does_not_complain_in_a_worker():
    done = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("4\n", "")
