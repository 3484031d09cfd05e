"""Ten programs with a race each are found; without it they are as in eager execution."""

from __future__ import annotations

import re

import pytest
import torch
from torch import nn

import virtual_cuda
from race_programs import PROGRAMS
from virtual_cuda.schedule import Race

SEEDS = range(20)
FOUND_FIRST = {"memory_given_back", "no_wait_before", "pinned_reused"}  # by the quick lane
SILENT = {"read_before_it_arrives"}  # no operator sees what the host does with its own memory


def lines(race: Race) -> list[str]:
    """The two pieces of work without their streams, which each run makes anew."""
    return [re.sub(r"stream \d+", "stream", title) for title in race.titles]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in FOUND_FIRST else pytest.mark.more) for n in PROGRAMS]
)
def test_a_race_is_found(name):
    program = PROGRAMS[name]
    eager = program(False)
    assert eager == program(True)
    found = 0
    for seed in SEEDS:
        with virtual_cuda.races(seed) as report:
            values = program(False)
        differs = values != eager
        found += differs
        assert bool(report.races) == (differs and name not in SILENT), (seed, values, str(report))
    assert found >= len(SEEDS) // 4


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - SILENT))
def test_one_piece_of_work_that_is_late_shows_it(name):
    program = PROGRAMS[name]
    eager = program(False)
    found = {}
    for seed in SEEDS:
        with virtual_cuda.races(seed) as report:
            program(False)
        found.update({race.late: race for race in report.races})
    assert found
    for late, race in found.items():
        with virtual_cuda.races(late=late) as report:
            assert program(False) != eager, str(race)
        assert lines(race) in [lines(shown) for shown in report.races if shown.late == late]
    with virtual_cuda.races(late=1 << 30) as report:
        assert program(False) == eager
    assert not report.races and report.deferred


@pytest.mark.more
@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_nobody_is_accused(name):
    program = PROGRAMS[name]
    eager = program(True)
    for seed in SEEDS:
        with virtual_cuda.races(seed) as report:
            assert program(True) == eager
        assert not report.races and report.deferred
    for late in range(1, report.deferred + 1, 1 + report.deferred // 10):
        with virtual_cuda.races(late=late) as report:
            assert program(True) == eager
        assert not report.races


def test_the_same_seed_gives_the_same_numbers():
    program = PROGRAMS["training_on_a_side_stream"]
    runs = []
    for _ in range(2):
        with virtual_cuda.races(5) as report:
            runs.append(repr(program(False)))
    assert runs[0] == runs[1] != repr(program(False))
    assert "races, seed 5: " in str(report)


def test_the_report_names_lines_and_streams():
    with virtual_cuda.races(0) as report:
        x = torch.ones(3, device="cuda") * 2
        with torch.cuda.stream(torch.cuda.Stream()):
            y = x + 1
        assert y.isnan().all()
    late = r'"add" on stream \d+ of cuda:0 \(\S*test_races.py:\d+\) came late: '
    assert re.search(late, str(report))


@pytest.mark.slow
def test_what_nobody_reads_is_compared_at_the_end():
    found = []
    for seed in SEEDS:
        x = torch.ones(3, device="cuda")
        with virtual_cuda.races(seed) as report:
            x.mul_(2)
            with torch.cuda.stream(torch.cuda.Stream()):
                x.add_(1)
        found.append(bool(report.races))
        assert x.tolist() == ([4, 4, 4] if report.races else [3, 3, 3])
    assert any(found)


def test_eager_is_as_before():
    kernels = torch._C._dispatch_dump("aten::mul.Tensor")
    with virtual_cuda.races():
        assert torch._C._dispatch_dump("aten::mul.Tensor") != kernels
    assert torch._C._dispatch_dump("aten::mul.Tensor") == kernels
    clock = virtual_cuda.clock()
    assert clock.deferral is None and "kernel" not in vars(clock.cards[0])


def test_memory_and_modelled_time_are_eagers():
    def program():
        torch.cuda.reset_peak_memory_stats()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        net = nn.Linear(64, 64).cuda()
        net(torch.ones(8, 64, device="cuda")).sum().backward()
        end.record()
        end.synchronize()
        return start.elapsed_time(end), torch.cuda.max_memory_allocated()

    torch.cuda.synchronize()
    eager = program()
    with virtual_cuda.races():
        assert program() == eager


def test_what_cannot_be_deferred_is_counted():
    x = torch.ones(3, device="cuda")
    with virtual_cuda.races() as report:
        sparse = torch.eye(3, device="cuda").to_sparse()
        assert (sparse @ x[:, None]).sum().item() == 3
        x.resize_(2)
    assert not report.races and report.at_once["_to_sparse"] == report.at_once["resize_"] == 1
    assert "run at once, because they cannot be deferred: " in str(report)


def test_a_graph_is_replayed_at_once():
    x, side = torch.ones(3, device="cuda"), torch.cuda.Stream()
    graph = torch.cuda.CUDAGraph()
    with virtual_cuda.races() as report:
        with torch.cuda.graph(graph):
            y = x * 2
        x.fill_(5)
        graph.replay()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            assert (y + 1).tolist() == [11, 11, 11]
    assert not report.races and report.at_once == {"replay of a graph": 1}


@pytest.mark.slow
def test_an_index_that_is_not_there_yet():
    """The embedding fails where it reads its indices too early; that is told, and not raised."""
    table = torch.ones(4, 2, device="cuda")
    texts = []
    for seed in SEEDS:
        with virtual_cuda.races(seed) as report:
            indices = torch.arange(4, device="cuda") * 1
            with torch.cuda.stream(torch.cuda.Stream()):
                nn.functional.embedding(indices, table)
        texts.append(str(report))
    assert any("then failed: " in text for text in texts)


def test_blocks_do_not_nest():
    with virtual_cuda.races():
        for block in (virtual_cuda.races, virtual_cuda.stale_copies):
            with pytest.raises(RuntimeError, match="late already"), block():
                pass
