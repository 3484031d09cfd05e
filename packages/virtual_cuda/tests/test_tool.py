"""Switching on from outside: the environment, the command line's mistakes, blocks of a program."""

from __future__ import annotations

import argparse
import os
import threading
from itertools import takewhile

import pytest
import torch

import virtual_cuda
from virtual_cuda import preconditions
from virtual_cuda.switchboard import replaced
from virtual_cuda_tool import command_line, startup
from virtual_cuda_tool.settings import Settings

pytestmark = pytest.mark.usefixtures("no_machine")


def is_off() -> bool:
    return not virtual_cuda.is_enabled() and not torch.cuda.is_available()


# Blocks


def test_a_block_leaves_the_process_as_it_was():
    with virtual_cuda.enabled(3, "1 GiB") as machine:
        assert (machine.device_count, machine.memory) == (3, 1 << 30)
        assert torch.ones(1, device="cuda:2").get_device() == 2
    assert is_off()
    with pytest.raises(ZeroDivisionError), virtual_cuda.enabled(2):
        _ = 1 / 0
    assert is_off()


def test_a_block_within_the_same_machine():
    with virtual_cuda.enabled(2):
        with virtual_cuda.enabled(2):
            pass
        assert torch.cuda.device_count() == 2
    virtual_cuda.enable(2, quiet=True)
    with virtual_cuda.enabled(2):
        pass
    assert virtual_cuda.is_enabled()  # it was, before the block


def test_a_block_within_another_machine():
    with virtual_cuda.enabled(2):
        x = torch.ones(3, device="cuda:1")
        with pytest.raises(RuntimeError, match=r"already on .*disable"), virtual_cuda.enabled(3):
            pass
        assert (x + 1).tolist() == [2, 2, 2]
    assert is_off()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [((0,), "device_count=0 is not possible"), ((2, "lots"), "'lots' is not an amount of memory")],
)
def test_a_block_that_cannot_be(settings, sentence):
    with pytest.raises(ValueError, match=sentence), virtual_cuda.enabled(*settings):
        pass
    assert is_off()


def test_blocks_of_many_threads():
    """All see the machine until the last one leaves."""
    start, middle = threading.Barrier(6), threading.Barrier(6)
    sums = []

    def work() -> None:
        start.wait(60)
        with virtual_cuda.enabled(4):
            middle.wait(60)
            sums.append(torch.ones(2, device="cuda:3").sum().item())

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [2.0] * 6
    assert is_off()


@pytest.mark.slow
def test_a_forked_child(run_python):
    """In a fresh process: a CUDA build of torch counts a machine's cards as a start of CUDA."""
    said = run_python("""
        import os
        import torch
        import virtual_cuda

        def use():
            with virtual_cuda.enabled(4):
                return torch.ones(2, device="cuda:3").sum().item()

        def in_forked_child():
            reader, writer = os.pipe()
            if (child := os.fork()) == 0:
                try:
                    said = str(use())
                except Exception as error:
                    said = f"{type(error).__name__}: {error}"
                os.write(writer, said.encode())
                os._exit(0)
            os.close(writer)
            with open(reader) as pipe:
                said = pipe.read()
            os.waitpid(child, 0)
            return said

        print(in_forked_child())
        with virtual_cuda.enabled(4):
            print(in_forked_child())
            torch.ones(1, device="cuda")
            print(in_forked_child())
            print(use())
        print(virtual_cuda.is_enabled())
    """)
    off, on, started, here, after = said.splitlines()
    assert off == on == here == "2.0"
    assert started.startswith("RuntimeError: Cannot re-initialize CUDA in forked")
    assert after == "False"


def test_a_machine_in_place_of_another():
    virtual_cuda.enable(4, "2 GiB", quiet=True)
    x = torch.ones(256, device="cuda:3", requires_grad=True)
    torch.cuda.manual_seed_all(1)
    states = torch.cuda.get_rng_state_all()
    with replaced(2, "1 GiB") as machine:
        assert (torch.cuda.device_count(), machine.memory) == (2, 1 << 30)
        assert torch.cuda.max_memory_allocated(1) == 0
        torch.randn(4, device="cuda:1")
        with pytest.raises(torch.AcceleratorError, match="invalid device ordinal"):
            x + 1
    assert torch.cuda.is_initialized() and torch.cuda.device_count() == 4
    assert torch.cuda.memory_allocated(3) == 1024
    assert all(map(torch.equal, torch.cuda.get_rng_state_all(), states))
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2] * 256
    with pytest.raises(ValueError, match="not possible"), replaced(99):
        pass
    assert (x + 1).device == torch.device("cuda:3")
    virtual_cuda.disable()
    with replaced(2):
        pass
    assert is_off()


# The environment


@pytest.mark.parametrize(
    ("variables", "settings"),
    [
        ({}, None),
        ({"VIRTUAL_CUDA": ""}, None),
        ({"VIRTUAL_CUDA": "0", "VIRTUAL_CUDA_MEMORY": "1 GiB"}, None),
        ({"VIRTUAL_CUDA": "4"}, Settings(4, "2 GiB")),
        ({"VIRTUAL_CUDA": " 2 ", "VIRTUAL_CUDA_MEMORY": "8GiB"}, Settings(2, "8GiB")),
        ({"VIRTUAL_CUDA": "1", "VIRTUAL_CUDA_NVIDIA_SMI": "1"}, Settings(1, "2 GiB", True)),
    ],
)
def test_what_the_environment_says(variables, settings):
    assert Settings.of(variables) == settings
    if settings is not None:
        assert Settings.of(settings.variables()) == settings


def test_children_are_given_it_within_the_block(monkeypatch):
    monkeypatch.setenv("VIRTUAL_CUDA", "7")
    monkeypatch.delenv("VIRTUAL_CUDA_MEMORY", raising=False)
    before = dict(os.environ)
    with Settings(2, "1 GiB").for_children():
        assert Settings.of(os.environ) == Settings(2, "1 GiB")
    assert dict(os.environ) == before


def test_nothing_happens_unasked(monkeypatch, capfd):
    monkeypatch.delenv("VIRTUAL_CUDA", raising=False)
    startup.start()
    assert is_off() and capfd.readouterr() == ("", "")


class TestRefusals:
    """One sentence, status 2, and the process as it was."""

    def refuse(self, capsys, sentence: str, **variables: str) -> None:
        with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as end:
            for name, value in {"VIRTUAL_CUDA": "4", **variables}.items():
                patch.setenv(name, value)
            startup.start()
        said = capsys.readouterr().err
        assert end.value.code == 2 and said.count("\n") == 1
        assert said.startswith("virtual_cuda: ") and sentence in said
        assert not virtual_cuda.is_enabled()

    @pytest.mark.parametrize("gpus", ["four", "-1", "2.5", "4 GPUs"])
    def test_no_number(self, capsys, gpus):
        self.refuse(capsys, f"VIRTUAL_CUDA={gpus} is not possible", VIRTUAL_CUDA=gpus)

    def test_too_many(self, capsys):
        self.refuse(capsys, "Choose a whole number from 1 to 64", VIRTUAL_CUDA="65")

    def test_no_amount(self, capsys):
        self.refuse(capsys, "'lots' is not an amount of memory", VIRTUAL_CUDA_MEMORY="lots")

    def test_unknown_torch(self, capsys, monkeypatch):
        monkeypatch.setattr(torch, "__version__", "2.99.0")
        self.refuse(capsys, "not with 2.99.0. Install torch 2.13")

    def test_after_cuda_started(self, capsys, monkeypatch):
        monkeypatch.setattr(torch.cuda, "_initialized", True)
        self.refuse(capsys, "CUDA has already started in this process. Restart it")

    def test_visible_real_gpu(self, capsys, monkeypatch):
        monkeypatch.setattr(preconditions, "HAS_CUDA_BUILD", True)
        seen = []
        monkeypatch.setattr(preconditions, "count_real_gpus", lambda: 1)
        self.refuse(capsys, "VIRTUAL_CUDA_HIDE_REAL_GPUS=1")
        monkeypatch.setenv(preconditions.HIDE_REAL_GPUS, "1")
        monkeypatch.setattr(
            preconditions,
            "count_real_gpus",
            lambda: seen.append(os.environ.get("CUDA_VISIBLE_DEVICES")) or 0,
        )
        with virtual_cuda.enabled(2):
            assert seen[0] == "" and torch.cuda.device_count() == 2

    def test_other_settings(self, capsys, monkeypatch):
        with virtual_cuda.enabled(2):
            monkeypatch.setenv("VIRTUAL_CUDA", "2")
            startup.start()  # the same again changes nothing
            monkeypatch.setenv("VIRTUAL_CUDA", "3")
            with pytest.raises(SystemExit):
                startup.start()
            assert torch.cuda.device_count() == 2
        assert "already on" in capsys.readouterr().err


# The command line


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("run --gpus 0 train.py", "device_count=0 is not possible. Choose a whole number"),
        ("run --gpus four train.py", "argument --gpus: invalid int value: 'four'"),
        ("run --memory lots train.py", "'lots' is not an amount of memory"),
        ("run missing.py", "There is no file missing.py in "),
        ("run missing", "There is no command missing."),
        ("run bin/torchrun", "There is no command bin/torchrun."),
        ("run notes", "notes is not a program. The name of a Python file ends in .py."),
        ("run empty", "There is no file __main__.py in empty."),
        ("run --gpus 65 train.py", "device_count=65 is not possible. Choose a whole number"),
        ("run", "the following arguments are required"),
        ("run --gpu 2 train.py", "unrecognized arguments: --gpu"),
        ("walk", "invalid choice: 'walk'"),
        ("", "required: run | compile"),
    ],
)
def test_mistakes(line, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "execve", lambda *given: pytest.fail("it was started"))
    (tmp_path / "train.py").touch()
    (tmp_path / "notes").touch()
    (tmp_path / "empty").mkdir()
    with pytest.raises(SystemExit) as end:
        command_line.main(line.split())
    assert end.value.code == 2 and is_off()
    assert sentence in capsys.readouterr().err.splitlines()[-1]


def test_not_installed(capsys, tmp_path, monkeypatch):
    (tmp_path / "train.py").touch()
    command = ["run", str(tmp_path / "train.py")]
    monkeypatch.setenv("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
    with pytest.raises(SystemExit):
        command_line.main(command)
    assert "stops torch from loading virtual GPUs. Unset it." in capsys.readouterr().err
    monkeypatch.setattr(command_line, "entry_points", lambda **given: ())
    with pytest.raises(SystemExit):
        command_line.main(command)
    assert "Install it with: pip install" in capsys.readouterr().err


def test_every_option_is_explained_with_an_example():
    actions = next(
        action.choices
        for action in command_line._parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    options = [action for action in actions["run"]._actions if action.dest != "help"]
    assert len(options) == 9
    for option in options:
        assert option.help and option.help.endswith(")") and "(" in option.help
    epilog = actions["run"].epilog
    examples = [line.split()[1:] for line in epilog.splitlines() if line.startswith("  ")]
    for words in examples:  # a remark follows after many spaces; it is not the parser's
        command_line._parser().parse_args(list(takewhile(lambda word: word != "four", words)))
