"""Where torch keeps what the switches need, and the trial in a child process before their use."""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import virtual_cuda
from virtual_cuda.platform import layouts, probe, switches

pytestmark = pytest.mark.slow

INCLUDE = Path(torch.__file__).parent / "include" / "ATen" / "detail"

SYSTEMS = pytest.mark.parametrize("system", layouts.LAYOUTS)
NAMES = {
    "register_guard": "c10::impl::registerDeviceGuard",
    "cpu_allocator": "c10::GetCPUAllocator",
    "cuda_hooks": "at::detail::getCUDAHooks",
    "mps_hooks": "at::detail::getMPSHooks",
}


def cpp_name(mangled: str) -> str:
    """The qualified C++ name in a mangled one, of either ABI."""
    if mangled.startswith("?"):
        return "::".join(reversed(mangled[1 : mangled.index("@@")].split("@")))
    rest, parts = mangled.removeprefix("_ZN"), []
    while length := re.match(r"\d+", rest):
        end = length.end() + int(length[0])
        parts.append(rest[length.end() : end])
        rest = rest[end:]
    return "::".join(parts)


def virtual_functions(header: str) -> list[str]:
    """The virtual functions a header of torch declares, in order, without the destructor."""
    text = re.sub(r"//[^\n]*", "", (INCLUDE / header).read_text(encoding="utf-8"))
    text = re.sub(r"#ifdef USE_ROCM.*?#endif", "", text, flags=re.DOTALL)
    declared = r"(?:virtual\s[^;{}()]*?|\n\s+[\w:&* ]+?)[\s&*](\w+)\s*\([^;{}]*?\)\s*const\b"
    return re.findall(declared, text)


class TestLayouts:
    def test_slots_are_those_of_the_headers(self):
        order = dict.fromkeys(
            virtual_functions("AcceleratorHooksInterface.h")
            + virtual_functions("CUDAHooksInterface.h")
        )
        places = {name: place for place, name in enumerate(order)}
        assert len(places) == layouts.CUDA_FUNCTIONS
        for constant, function in {
            "IS_BUILT": "isBuilt",
            "IS_AVAILABLE": "isAvailable",
            "HAS_PRIMARY_CONTEXT": "hasPrimaryContext",
            "INIT": "init",
            "DEVICE_COUNT": "deviceCount",
            "IS_PINNED_PTR": "isPinnedPtr",
            "GET_PINNED_MEMORY_ALLOCATOR": "getPinnedMemoryAllocator",
            "HAS_CUDA": "hasCUDA",
            "HAS_MAGMA": "hasMAGMA",
            "HAS_CUDNN": "hasCuDNN",
            "HAS_ROCM": "hasROCM",
            "COMPILED_WITH_CUDNN": "compiledWithCuDNN",
            "GET_NUM_GPUS": "getNumGPUs",
            "DEVICE_SYNCHRONIZE": "deviceSynchronize",
        }.items():
            assert getattr(layouts, constant) == places[function], function

    def test_slots_of_the_mps_hooks(self):
        base = virtual_functions("AcceleratorHooksInterface.h")
        own = virtual_functions("MPSHooksInterface.h")
        places = list(dict.fromkeys(base + own))
        assert places[: len(base)] == base
        assert len(places) <= layouts.MPS_FUNCTIONS <= len(places) + 1

    @SYSTEMS
    def test_names_say_the_same_in_each_abi(self, system):
        layout = layouts.LAYOUTS[system]
        for field, name in NAMES.items():
            mangled = getattr(layout, field)
            assert mangled is None or cpp_name(mangled) == name
        assert (layout.mps_hooks is not None) == (system == "darwin")

    @pytest.mark.parametrize(("system", "words"), [("linux", 50), ("darwin", 50), ("win32", 48)])
    def test_vtable_is_as_long_as_in_the_wheels(self, system, words):
        """Words from the head on, read from the wheels of 2.11, 2.12 and 2.13."""
        layout = layouts.LAYOUTS[system]
        assert layout.head + layout.destructors + layouts.CUDA_FUNCTIONS == words

    @SYSTEMS
    def test_only_the_answered_functions_change(self, system):
        """On an object and a vtable made here, of each platform's shape."""
        layout = layouts.LAYOUTS[system]
        before = layout.head + layout.destructors
        vtable = (ctypes.c_void_p * (before + 4))(*range(1, before + 5))
        head = ctypes.addressof(vtable) + layout.head * ctypes.sizeof(ctypes.c_void_p)
        thing = (ctypes.c_void_p * 1)(head)
        get = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: ctypes.addressof(thing))
        hooks = switches._Hooks(get, layout, 4)
        assert hooks.function(2) == before + 3

        undo = hooks.answer({0: 100, 3: 103})
        start = thing[0] - layout.head * ctypes.sizeof(ctypes.c_void_p)
        seen = list((ctypes.c_void_p * (before + 4)).from_address(start))
        assert seen == [*range(1, before + 1), 100, before + 2, before + 3, 103]
        undo()
        assert thing[0] == head and list(vtable) == list(range(1, before + 5))

    @pytest.mark.skipif(sys.platform != "linux", reason="stands in for macOS on Linux")
    def test_a_rival_accelerator_is_kept_quiet(self, run_python):
        """macOS's way, on Linux, whose library has the hooks of MPS too."""
        printed = run_python("""
            import torch
            from dataclasses import replace
            import virtual_cuda
            from virtual_cuda.platform import layouts
            layouts.LAYOUTS["linux"] = replace(layouts.LINUX, mps_hooks=layouts.MACOS.mps_hooks)
            for count in (4, 2):
                virtual_cuda.enable(count, quiet=True)
                x = torch.ones(2, device="cuda:1", requires_grad=True)
                (x * 2).sum().backward()
                print(x.grad.device, torch._C._get_accelerator())
                virtual_cuda.disable()
            print(torch._C._get_accelerator(), torch.backends.mps.is_available())
        """)
        assert printed.split() == ["cuda:1", "cuda", "cuda:1", "cuda", "cpu", "False"]


@pytest.fixture
def trials(monkeypatch, tmp_path):
    """A combination nobody knows, an empty cache folder, and the trials made (their outcome)."""
    made: list[str] = []
    outcome = {"is": ""}

    def try_in_child() -> str:
        made.append(outcome["is"])
        return outcome["is"]

    monkeypatch.delenv(probe.VARIABLE, raising=False)
    monkeypatch.setattr(probe, "combination", lambda: ("9.9", "cpython-399", "plan9", "vax"))
    monkeypatch.setattr(probe, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(probe, "try_in_child", try_in_child)
    made_with = outcome
    return made, made_with, tmp_path / "virtual_cuda" / "probes.json"


class TestProbe:
    def test_a_known_combination_is_not_tried(self, monkeypatch, trials):
        made, _, file = trials
        monkeypatch.setattr(probe, "combination", lambda: next(iter(probe.KNOWN_GOOD)))
        probe.require()
        assert not made and not file.exists()

    def test_success_is_remembered(self, trials):
        made, _, file = trials
        probe.require()
        probe.require()
        assert made == [""]
        assert list(json.loads(file.read_text()).values()) == [""]
        assert list(file.parent.iterdir()) == [file]

    def test_failure_is_remembered_and_said_in_one_sentence(self, trials):
        made, outcome, _ = trials
        outcome["is"] = "it died"
        for _ in range(2):
            with pytest.raises(virtual_cuda.VirtualCudaUnsupported) as caught:
                probe.require()
            assert caught.value.cause == "it died"
            assert str(caught.value) == (
                "Virtual GPUs are not possible here (it died). Use an official wheel of torch on "
                "Linux; WSL, a container or a hosted notebook is Linux too."
            )
        assert len(made) == 1

    def test_another_version_of_the_package_is_tried_again(self, monkeypatch, trials):
        made, _, file = trials
        probe.require()
        monkeypatch.setattr(probe, "_version_of_package", lambda: "later")
        probe.require()
        assert len(made) == 2 and len(json.loads(file.read_text())) == 2

    def test_overrides(self, monkeypatch, trials):
        made, _, _ = trials
        probe.require(skip=True)
        monkeypatch.setenv(probe.VARIABLE, "skip")
        probe.require()
        assert not made
        monkeypatch.setenv(probe.VARIABLE, "again")
        probe.require()
        probe.require()
        assert len(made) == 2

    @pytest.mark.parametrize("error", [OSError("no more processes"), None])
    def test_a_trial_without_an_end_is_not_remembered(self, monkeypatch, trials, error):
        def no_end() -> str:
            raise error or subprocess.TimeoutExpired("python", 300)

        monkeypatch.setattr(probe, "try_in_child", no_end)
        with pytest.raises(virtual_cuda.VirtualCudaUnsupported, match="test did not end"):
            probe.require()
        assert not trials[2].exists()

    @pytest.mark.parametrize("content", ["", "[1]", '{"other": 3}'])
    def test_a_damaged_file_is_no_obstacle(self, trials, content):
        made, _, file = trials
        file.parent.mkdir()
        file.write_text(content)
        probe.require()
        probe.require()
        assert len(made) == 1

    def test_a_folder_that_cannot_be_written_means_another_trial(self, trials):
        made, _, file = trials
        file.parent.write_text("a file is in the way")
        probe.require()
        probe.require()
        assert len(made) == 2

    @pytest.mark.parametrize(
        ("system", "variables", "folder"),
        [
            ("linux", {"XDG_CACHE_HOME": "/c"}, "/c"),
            ("linux", {"XDG_CACHE_HOME": ""}, "/home/me/.cache"),
            ("darwin", {}, "/home/me/Library/Caches"),
            ("win32", {"LOCALAPPDATA": "/local"}, "/local"),
        ],
    )
    def test_cache_folder(self, monkeypatch, system, variables, folder):
        monkeypatch.setattr(sys, "platform", system)
        for name, value in {"HOME": "/home/me", **variables}.items():
            monkeypatch.setenv(name, value)
        assert probe.cache_folder() == Path(folder)

    def test_enable_asks_first(self, monkeypatch, no_machine, trials):
        _, outcome, _ = trials
        outcome["is"] = "it died"
        with pytest.raises(virtual_cuda.VirtualCudaUnsupported, match="it died"):
            virtual_cuda.enable(quiet=True)
        assert torch._C._get_accelerator().type == "cpu"
        assert virtual_cuda.enable(quiet=True, skip_probe=True).device_count == 4


class TestChild:
    @pytest.mark.more
    def test_the_trial_passes_here(self):
        assert probe.try_in_child() == ""

    def child(self, monkeypatch, tmp_path, script: str) -> str:
        program = tmp_path / "python"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(program))
        return probe.try_in_child()

    @pytest.mark.parametrize(
        ("script", "reason"),
        [
            ("kill -SEGV $$", r"it ended with -11"),
            ("echo Traceback >&2; echo 'OSError: no' >&2; exit 1", "OSError: no"),
            ("exit 0", "it ended with 0"),
        ],
    )
    def test_how_a_trial_fails(self, monkeypatch, tmp_path, script, reason):
        failure = self.child(monkeypatch, tmp_path, script)
        assert re.fullmatch(
            rf"torch \S+ on \S+ \S+ did not pass their test in a child process: {reason}", failure
        )

    def test_a_python_that_does_not_start(self, monkeypatch, trials):
        monkeypatch.undo()
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(OSError, match="nowhere"):
            probe.try_in_child()
