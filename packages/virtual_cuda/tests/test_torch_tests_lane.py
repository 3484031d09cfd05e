"""The lane of torch's own tests (``make torch-tests``), on a toy file in place of torch's."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from torch_tests import expectations, report, sources
from torch_tests.expectations import Reason
from torch_tests.pairing import Judged, Kind, counted, judge, twin_of, twins_of
from torch_tests.running import CPU_ENVIRONMENT, GPU_ENVIRONMENT, Order, Result, run

TOY = """
    import os, signal, unittest
    import torch
    from torch.testing._internal.common_device_type import instantiate_device_type_tests, onlyCUDA
    from torch.testing._internal.common_utils import TestCase

    class TestToy(TestCase):
        def test_sum(self, device):
            self.assertEqual(torch.ones(3, device=device).sum().device.type, device[:4].rstrip(":"))

        def test_only_as_on_the_cpu(self, device):
            self.assertEqual(device, "cpu")

        def test_of_another_torch(self, device):
            torch.no_such_function(device)

        def test_ends_the_process(self, device):
            if device != "cpu":
                os.kill(os.getpid(), signal.SIGKILL)

        def test_takes_an_hour(self, device):
            self.assertEqual(device, "cpu")  # is not reached on a card

        @onlyCUDA
        def test_several(self, device):
            self.assertEqual(torch.cuda.device_count(), 4)

    instantiate_device_type_tests(TestToy, globals())

    class TestPlain(TestCase):
        def test_nothing_of_cuda(self):
            pass
"""
LISTED = [
    Reason("it asks for the CPU", ("test_toy.py::TestToyCUDA.test_only_*",), run=True),
    Reason("it takes an hour", ("test_toy.py::TestToyCUDA.test_takes_*",), run=False),
    Reason("of a file that is not run", ("test_other.py::*",), run=True),
]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> list[Judged]:
    folder = tmp_path_factory.mktemp("lane")
    (folder / "test_toy.py").write_text(textwrap.dedent(TOY), "utf-8")
    on_gpu = Order(
        folder,
        "test_toy.py",
        folder / "cuda.jsonl",
        GPU_ENVIRONMENT,
        "CUDA",
        left_out=expectations.left_out("test_toy.py", LISTED),
    )
    tests = run(on_gpu, limit=300)
    again = run(on_gpu, limit=0)  # nothing is left to be run
    assert again == tests
    on_cpu = Order(
        folder, "test_toy.py", folder / "cpu.jsonl", CPU_ENVIRONMENT, names=twins_of(tests)
    )
    return judge("test_toy.py", tests, run(on_cpu, limit=300))


@pytest.mark.slow
@pytest.mark.more
def test_every_test_is_judged_by_its_twin(judged):
    assert {one.name.rpartition(".test_")[2]: (one.result.outcome, one.kind) for one in judged} == {
        "sum_cuda": ("passed", Kind.PAIRED),
        "only_as_on_the_cpu_cuda": ("failed", Kind.PAIRED),
        "of_another_torch_cuda": ("failed", Kind.VOID),
        "ends_the_process_cuda": ("crashed", Kind.PAIRED),
        "takes_an_hour_cuda": ("not run", Kind.PAIRED),
        "several_cuda": ("passed", Kind.ALONE),
    }
    assert counted(judged, Kind.PAIRED) == (1, 4)


@pytest.mark.slow
@pytest.mark.more
def test_what_is_not_listed_is_named(judged):
    comparison = expectations.compare(judged, LISTED)
    assert [one.result.text for one in comparison.unlisted] == ["the process ended by SIGKILL"]
    assert not comparison.passed_though_listed and not comparison.agrees
    assert {reason: len(tests) for reason, tests in comparison.by_reason.items()} == {
        "it asks for the CPU": 1,
        "it takes an hour": 1,
    }
    tables = report.by_file(judged) + report.by_cause(comparison) + report.disagreements(comparison)
    for words in ("25.00 %", "not listed: crashed", "TestToyCUDA.test_ends_the_process_cuda"):
        assert words in tables


def one(name: str, outcome: str, kind: Kind = Kind.PAIRED) -> Judged:
    return Judged(f"test_x.py::TestXCUDA.{name}", Result(outcome), kind)


def test_a_listed_test_must_fail():
    tests = [one("test_a", "failed"), one("test_b", "passed"), one("test_c", "failed", Kind.VOID)]

    def compare(*patterns: str) -> expectations.Comparison:
        names = tuple(f"test_x.py::TestXCUDA.{pattern}" for pattern in patterns)
        return expectations.compare(tests, [Reason("why", names, run=True)])

    assert compare("test_a").agrees
    assert compare("test_?").passed_though_listed == ["test_x.py::TestXCUDA.test_b"]
    assert compare("test_a", "test_c").passed_though_listed == ["test_x.py::TestXCUDA.test_c"]
    assert [one.name for one in compare().unlisted] == ["test_x.py::TestXCUDA.test_a"]


def test_names_of_twins():
    assert twin_of("TestXCUDA.test_to_cuda_copy_cuda_float16") == (
        "TestXCPU.test_to_cuda_copy_cpu_float16"
    )
    assert twin_of("TestCuda.test_cuda_sync") is None and twin_of("TestXCUDA.test_y") is None


def test_the_list_can_be_read():
    for reason in expectations.load():
        assert reason.reason and all(re.search(r"::(Test|\w+Tests\.|\()", t) for t in reason.tests)


def test_a_folder_without_torchs_tests(monkeypatch, tmp_path: Path):
    monkeypatch.setenv(sources.VARIABLE, str(tmp_path))
    with pytest.raises(sources.NoTests, match="is not the folder test/ of a copy of PyTorch"):
        sources.find()
    (tmp_path / "test_torch.py").touch()
    assert sources.find()[0] == tmp_path.resolve()


def test_no_source_package_to_be_had(monkeypatch, tmp_path: Path):
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    monkeypatch.setattr(sources, "CACHE", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(sources.NoTests, match=r"no apt-get .*; name a folder instead: make torch"):
        sources.find()
