"""Each function of the course that draws, by name, with its smallest data and with many data."""

import inspect
import pkgutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

import torch
from torch import nn

import course_utils.figures
import lesson_parts
from course_utils.experiments.children import Sight, WatchedLine
from course_utils.experiments.recording import FedLoop, Recording
from course_utils.figures.picture import Picture
from course_utils.figures.timelines import timeline
from lesson_parts import explorers
from lesson_parts.hosts import CardNow, Turn
from lesson_parts.lesson01.memories import memory_map
from lesson_parts.lesson02.devices import device_map
from lesson_parts.lesson02.waits import loop_lanes, wait_lanes
from lesson_parts.lesson03.modules import module_map, name_map
from lesson_parts.lesson04.segments import segment_chart
from lesson_parts.lesson04.trace import trace_chart
from lesson_parts.lesson06.sharing import card_chart, rush_chart
from lesson_parts.lesson07 import data_flow, step_lanes
from lesson_parts.lesson08.clocks import clock_lanes
from lesson_parts.lesson08.memory import memory_chart
from lesson_parts.lesson08.speeds import speed_chart
from lesson_parts.lesson09.feeding import (
    RECORDED,
    speed_bars,
    sweep_chart,
    timelines,
    util_bars,
)
from lesson_parts.lesson09.loader_sweep import Sweep
from lesson_parts.lesson09.workers import LOADS, TRAINS, worker_lanes
from lesson_parts.lesson10.checkpoints import file_map, load_map
from lesson_parts.lesson10.restarts import restart_chart
from lesson_parts.lesson11 import distance_chart, exchange_lanes, ring_rounds, weight_chart
from lesson_parts.lesson12 import memory_of, step_chart
from lesson_parts.lesson13.moves import moved_run
from lesson_parts.project import TrainingRun
from lesson_parts.visibility import moment_map, visible_map

Draw = Callable[[], Picture]

TITLE = "What this picture is about"
LONG = "n" * 60
GPU = torch.device("cuda:1")
PAIR = [torch.device("cuda:0"), GPU]
LAUNCHES, PRODUCTS = [("launch", 0, 5), ("launch", 5, 10)], [("product", 5, 105)]
CARDS = [
    CardNow(0, "RTX 2080 Ti", "GPU-0", 11_019, {}, 0),
    CardNow(1, "RTX 3090", "GPU-1", 24_268, {"ben": 9_100, "carla": 6_000}, 97),
]
TURNS = [
    Turn("Emil", 0, 2, 20_859, 8, 20_859, 12_000),
    Turn("Fay", 3, 2, 20_859, 11, 8_859, 12_000),
]
LANES = {
    "host": [("load a batch", 0, 100), ("wait", 100, 150)],
    "copies": [("H2D", 100, 150)],
    "kernels": [("mm", 150, 200), ("add", 200, 210)],
}
ZERO = torch.zeros(1)
LOG = [{"loss": 0.9 - 0.1 * epoch, "accuracy": 0.5 + 0.1 * epoch} for epoch in range(3)]
EQUAL = ("Virtual CUDA device (runs on the CPU)",) * 4
MIXED = ("Virtual GeForce RTX 4060 Laptop GPU", "NVIDIA A100-SXM4-40GB", "Virtual Tesla T4")
WATCHED = [
    WatchedLine("import torch", None, False, (0, 1, 2, 3)),
    WatchedLine('os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"', "0,1", False, (0, 1)),
    WatchedLine("torch.cuda.is_available()", "0,1", True, (0, 1)),
    WatchedLine('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "-1", True, (0, 1)),
]


def _net(width: int = 2) -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, width), nn.BatchNorm1d(width))


def _plain_and_kept() -> nn.Module:
    module = nn.BatchNorm1d(2)
    module.register_buffer(LONG, torch.ones(1, 2, 3, 4, 5, 6), persistent=False)
    module.mask, module.more = torch.ones(3), [nn.Linear(1, 1)]
    return module


def _snapshot(*segments: int) -> dict[str, object]:
    """A snapshot of segments of so many MiB, each half in use, and of an allocation that failed."""
    of = {"device": 1, "blocks": [{"state": "inactive", "size": 2**20}]}
    held = [{**of, "total_size": n * 2**20, "allocated_size": n * 2**19} for n in segments]
    failed = [{"action": "oom", "size": 16 * 2**20}] if segments else []
    return {"segments": held, "device_traces": [[], failed]}


def _loop(batches: list[torch.Tensor], weight: torch.Tensor) -> float:
    return sum((batch @ weight).square().mean().item() for batch in batches)


def _of_file(draw: Callable[[Path], Picture], content: object) -> Picture:
    with tempfile.TemporaryDirectory() as folder:
        torch.save(content, Path(folder, "x.pt"))
        return draw(Path(folder, "x.pt"))


def _load_map(content: nn.Module) -> Picture:
    return _of_file(lambda path: load_map(path, path, _net()), content.state_dict())


def _name_map() -> Picture:
    old, weight = torch.ones(2), nn.Parameter(torch.ones(2).cuda())
    names = {LONG: old, "new": old.cuda(), "w": weight, "weight": weight}
    return name_map(names, {"new": old}, title=TITLE)


def _moved(done: int) -> Picture:
    whole, killed = (
        TrainingRun("1 virtual GPU", Path("x.pt"), log, {}) for log in (LOG, LOG[:done])
    )
    return moved_run(whole, killed, TrainingRun("no GPU", Path("x.pt"), LOG, {}))


def _step_chart(width: int) -> Picture:
    model, ones = nn.Linear(width, width).cuda(), torch.ones(99, width, device="cuda")
    optimizer = torch.optim.AdamW(model.parameters())
    step = memory_of(lambda model: model(ones).sum(), model, optimizer)
    return step_chart({"a": step, "b": step}, title=TITLE)


DRAWN: Mapping[str, tuple[Draw, ...]] = {
    "timeline": (lambda: timeline(host=LAUNCHES, device=PRODUCTS, marks={"a": 0, "b": 105}),),
    "waits": (lambda: explorers.waits(1),),
    "visible": (lambda: explorers.visible("2,0", 4),),
    "device_map": (
        lambda: device_map({"x": torch.ones(2)}, "x + x"),
        lambda: device_map({LONG: torch.ones(1, 2, 3, 4, 5, 6), "b": torch.ones(2).cuda()}, "@"),
    ),
    "wait_lanes": (lambda: wait_lanes(every=3),),
    "loop_lanes": (lambda: loop_lanes(_loop),),
    "memory_map": (lambda: memory_map({LONG: torch.ones(1), "b": torch.ones(2).cuda()}),),
    "module_map": (
        lambda: module_map(nn.Linear(2, 1)),
        lambda: module_map(_plain_and_kept().cuda(), nn.BatchNorm1d(2)),
    ),
    "name_map": (_name_map,),
    "trace_chart": (
        lambda: trace_chart(GPU, lambda: torch.ones(9, device=GPU), allowed=2**21),
        lambda: trace_chart(GPU, lambda: torch.ones(2**40, device=GPU), allowed=2**30),
    ),
    "segment_chart": (
        lambda: segment_chart(_snapshot(), torch.device("cuda:1"), 64 * 2**20),
        lambda: segment_chart(_snapshot(20, 16, 16, 2), torch.device("cuda:1"), 64 * 2**20),
    ),
    "card_chart": (lambda: card_chart(CARDS, title=TITLE),),
    "rush_chart": (lambda: rush_chart(TURNS, title=TITLE),),
    "data_flow": (data_flow, lambda: data_flow(ddp=True)),
    "step_lanes": (lambda: step_lanes(nn.Linear(2, 2).cuda(), [torch.ones(2, 4, 2)], PAIR),),
    "memory_chart": (
        lambda: memory_chart({"4 images": (4, 9, 2)}, limit=2**20),
        lambda: memory_chart({f"{n} images": (27 * n, 9 * n, n) for n in range(9)}, limit=99),
    ),
    "clock_lanes": (lambda: clock_lanes(lambda: torch.ones(99, device="cuda:0").exp()),),
    "speed_chart": (
        lambda: speed_chart({"30": (9, 168_000)}, limit=64),
        lambda: speed_chart({"480": (84, 855_000), "two": (44, 719_000)}, limit=64),
    ),
    "timelines": (
        lambda: timelines({"plain": Recording(True, LANES), "ahead": Recording(True, LANES)}),
    ),
    "speed_bars": (
        lambda: speed_bars(RECORDED, "recorded"),
        lambda: speed_bars({"a": 139, "ceiling": 1080, "b": 99}, "measured"),
    ),
    "worker_lanes": (
        lambda: worker_lanes({0: {1: [(f"{LOADS} 1", 0, 2), (f"{TRAINS} 1", 2, 3)]}}),
        lambda: worker_lanes({1: {1: [(f"{TRAINS} 1", 2, 3)], 2: [(f"{LOADS} 1", 0, 2)]}}),
    ),
    "sweep_chart": (
        lambda: sweep_chart(
            {"a": Sweep({0: (9, 8, 9), 2: (50, 51, 52), 4: (91, 99, 90)}, (99, 9))}
        ),
    ),
    "util_bars": (
        lambda: util_bars(
            {
                "slow": FedLoop(False, [0, 70, 0], [(1.3, 2.0)]),
                "fast": FedLoop(False, [100], [(0.0, 1.0)]),
            }
        ),
    ),
    "file_map": (lambda: _of_file(file_map, {"model": _net().state_dict(), "epoch": 2}),),
    "load_map": (lambda: _load_map(_net()), lambda: _load_map(nn.DataParallel(_net()))),
    "restart_chart": (
        lambda: restart_chart(saved=2, kept=2, epochs=4, equal=True, on="cuda:2"),
        lambda: restart_chart(saved=2, kept=0, epochs=4, equal=False),
    ),
    "weight_chart": (lambda: weight_chart([[row, row] for row in torch.eye(2)], title=TITLE),),
    "distance_chart": (lambda: distance_chart({"a": [ZERO], "b": [ZERO]}, [ZERO], title=TITLE),),
    "exchange_lanes": (lambda: exchange_lanes({1: ["gradient 1", "bucket 0"]}),),
    "ring_rounds": (lambda: ring_rounds(2), ring_rounds),
    "step_chart": (lambda: _step_chart(2), lambda: _step_chart(512)),
    "moved_run": (lambda: _moved(1), lambda: _moved(3)),
    "visible_map": (
        lambda: visible_map(Sight("nothing set", EQUAL * 2, tuple(range(8))), title="t" * 40),
        lambda: visible_map(Sight("s " * 60, MIXED, (2, 0, 1)), Sight("s", (LONG, LONG), ())),
    ),
    "moment_map": (
        lambda: moment_map(WATCHED),
        lambda: moment_map([WatchedLine("x" * 90, "0,1,2,3,4", True, (0, 1, 2, 3, 4))]),
    ),
}


def drawers() -> Iterator[str]:
    """The names of all functions of the course that return a Picture."""
    for package in (lesson_parts, course_utils.figures):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for name, function in inspect.getmembers(module, inspect.isfunction):
                if function.__module__ != found.name or name.startswith("_"):
                    continue
                if inspect.get_annotations(function, eval_str=True).get("return") is Picture:
                    yield name
