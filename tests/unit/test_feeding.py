"""What lesson 09 records, measures and computes: recordings, sweeps, readings."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

import virtual_cuda
from course_utils.checking.exercises import exercise
from course_utils.devices import current_lab, lab
from course_utils.experiments import recording
from course_utils.experiments.recording import Recording, fed_loop, record
from exercise_kit.corpus import load_answer
from exercise_kit.reference import reference
from lesson_parts.lesson09.feeding import RECORDED, least_gain, speed_bars
from lesson_parts.lesson09.loader_sweep import TOLERANCE, Sweep, sweep
from lesson_parts.lesson09.workers import fed_by


def recorded(modelled: bool = True) -> Recording:
    lanes = {
        "host": [("load a batch", 0, 100), ("wait", 100, 150)],
        "copies": [("H2D", 100, 150), ("H2D", 160, 260)],
        "kernels": [("mm", 150, 200), ("add", 200, 210), ("mm", 240, 300)],
    }
    return Recording(modelled, lanes)


def test_a_recording_adds_up():
    one = recorded()
    assert one.end == 300
    assert one.busy("kernels") == 120 and one.busy("copies") == 150
    assert one.gaps() == 30  # 210 to 240
    assert one.overlap() == 70  # 160 to 210, 240 to 260
    assert Recording(True).end == Recording(True).gaps() == Recording(True).overlap() == 0


def test_a_sweep_chooses_workers_by_the_rule_of_best_settings():
    found = Sweep({0: (50, 60, 55), 2: (90, 101, 94), 4: (99, 80, 93)})
    assert (found.fastest, found.choice) == (2, 2)
    source = reference(exercise("feeding.best_settings").path)
    for rates, choice in (
        ({0: (9, 10, 11), 2: (8, 13, 12), 4: (10, 14, 13)}, 2),
        ({4: (50, 51, 52), 2: (50, 50, 40), 0: (49, 49, 49)}, 0),
        ({0: (9, 8, 9), 4: (10, 10, 10)}, 4),
        ({0: (5, 5, 5)}, 0),
    ):
        times = {workers: [1000 / rate for rate in each] for workers, each in rates.items()}
        best_settings = load_answer(source, "best_settings", "<answer>")
        chosen = best_settings(lambda workers, t=times: t[workers].pop(0), [*rates], TOLERANCE)
        assert Sweep(rates).choice == chosen == choice


def test_speeds_say_where_they_come_from():
    assert "PyTorch's tutorial, recorded. 0 workers: 1.0×." in speed_bars(RECORDED, "recorded").alt
    assert "this computer, measured. now: 9." in speed_bars({"now": 9}, "measured").alt


def test_the_least_gain_of_the_recorded_changes():
    assert least_gain(RECORDED) == "the second stream"
    assert least_gain({"a": 1, "b": 3, "c": 4}) == "c"


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


def test_a_sweep_measures_every_setting_in_every_round(capsys):
    measured = []
    kinds, loader = {"a": "b"}, "{}{}".format
    found = sweep(
        lambda one: measured.append(one) or 9, loader, kinds, (0, 1), ceiling="c", rounds=2
    )
    assert measured == ["b0", "b1", "c", "b0", "b1", "c"]
    assert found == {"a": Sweep({0: (9, 9), 1: (9, 9)}, (9, 9))}
    assert "Measuring 2 rounds" in capsys.readouterr().out


def test_another_process_loads_while_this_one_trains():
    alone, helped = ([*fed_by(n, load=0.02, train=0.01, batches=2).values()] for n in (0, 1))
    assert [what for what, *_ in alone[0]] == ["loads 1", "trains on 1", "loads 2", "trains on 2"]
    trains, loads = ([what for what, *_ in lane] for lane in helped)
    assert trains == ["trains on 1", "trains on 2"] and loads == ["loads 1", "loads 2"]


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
from course_utils.experiments import forks

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
