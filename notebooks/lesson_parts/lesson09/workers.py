"""`worker_lanes`: who loads and who trains, in a `DataLoader` with several numbers of workers."""

import os
import time
from collections.abc import Mapping

from torch.utils.data import DataLoader, Dataset

from course_utils.experiments import forks
from course_utils.experiments.recording import Span
from course_utils.figures.picture import BAR_STYLES, INK, NOTE, PAPER, SMALL, WIDTH, Picture
from course_utils.words import counted, listed

LOADS, TRAINS = "loads", "trains on"
STYLES = {LOADS: BAR_STYLES[0], TRAINS: BAR_STYLES[1]}
LEFT, RIGHT, ROW, BAR = 1.35, WIDTH - 0.4, 0.34, 0.26

assert forks  # imported for what it registers

Lanes = dict[int, list[Span]]
"""For each process, by its PID, the batches that it loads and trains on, in s since the start."""


class _Slow(Dataset[tuple[int, float, float]]):
    """Batches that take long to load: the process that loads each, and when."""

    def __init__(self, batches: int, load: float) -> None:
        self.batches, self.load = batches, load

    def __len__(self) -> int:
        return self.batches

    def __getitem__(self, number: int) -> tuple[int, float, float]:
        begun = time.perf_counter()
        time.sleep(self.load)
        return os.getpid(), begun, time.perf_counter()


def fed_by(workers: int, load: float = 0.2, train: float = 0.1, batches: int = 6) -> Lanes:
    """The work of each process in an epoch, this one first, measured. load, train: seconds."""
    lanes: Lanes = {os.getpid(): []}
    start = time.perf_counter()  # one clock for all processes
    loader = DataLoader(_Slow(batches, load), batch_size=None, num_workers=workers)
    for number, (pid, begun, done) in enumerate(loader, 1):
        lanes.setdefault(pid, []).append((f"{LOADS} {number}", begun - start, done - start))
        begun = time.perf_counter()
        time.sleep(train)
        done = time.perf_counter()
        lanes[os.getpid()].append((f"{TRAINS} {number}", begun - start, done - start))
    return lanes


def worker_lanes(epochs: Mapping[int, Lanes]) -> Picture:
    """A picture of an epoch with each number of workers: a lane for each process."""
    bottom = 1.0 + sum(0.42 + ROW * len(lanes) for lanes in epochs.values())
    page = Picture(bottom + 0.5, "Who loads, and who trains", "measured")
    page.legend(0.25, 0.75, {f"{kind} the batch": style for kind, style in STYLES.items()})
    ends = {n: max(end for spans in one.values() for *_, end in spans) for n, one in epochs.items()}
    last = max(ends.values())
    scale = (RIGHT - LEFT) / last
    page.clock(LEFT, RIGHT, 1.0, bottom, last, "s")
    page.tell("Processes in one epoch, measured: the batches that each loads or trains on.")
    page.write(0.25, bottom + 0.32, "Where your process does not train, the GPU waits.", **NOTE)
    top = 1.0
    for number, lanes in epochs.items():
        page.write(0.25, top + 0.16, f"num_workers={number}", weight="bold", behind=PAPER)
        done = f"done after {ends[number]:.1f} s"
        page.write(RIGHT, top + 0.16, done, align="right", size=SMALL, behind=PAPER)
        page.tell(f"{counted(number, 'worker')}: {done}.")
        top += 0.36
        for place, spans in enumerate(lanes.values()):
            who = f"worker {place}" if place else "your process"
            page.write(LEFT - 0.12, top + BAR / 2, who, align="right", **NOTE)
            page.line((LEFT, top + BAR), (RIGHT, top + BAR))
            for what, begin, end in spans:
                kind, number_of_batch = what.rsplit(" ", 1)
                left, width = LEFT + begin * scale, (end - begin) * scale
                page.bar(left, top, width, BAR, STYLES[kind], edgecolor=INK)
                middle, behind = left + width / 2, STYLES[kind][0]
                page.write(
                    middle, top + BAR / 2, number_of_batch, "center", behind=behind, size=8.5
                )
            work = listed(f"{what} from {begin:.1f} to {end:.1f} s" for what, begin, end in spans)
            page.tell(f"{who}: {work}.")
            top += ROW
        top += 0.06
    return page
