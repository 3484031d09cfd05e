"""Switching on and off: loud, refusing clearly, and leaving torch as it was."""

from __future__ import annotations

import dataclasses
import os

import pytest
import torch

import virtual_cuda
from virtual_cuda import preconditions
from virtual_cuda.interface.tensors import storages
from virtual_cuda.platform import layouts, probe, switches

# What torch says of CUDA by itself: to a program, and of a tensor that outlived disable().
STOCK = (
    "RuntimeError: Found no NVIDIA driver on your system"
    if switches.HAS_CUDA_BUILD
    else "AssertionError: Torch not compiled with CUDA enabled"
)
ORPHAN = (
    "AcceleratorError: CUDA error: CUDA driver version is insufficient for CUDA runtime version"
    if switches.HAS_CUDA_BUILD
    else STOCK
)
torch_stops_asking_at_the_start = pytest.mark.skipif(
    torch.__version__.startswith("2.11"),
    reason="torch 2.11's device_count() follows the variable even after CUDA has started",
)


def stock_error(attempt) -> str:
    with pytest.raises((AssertionError, RuntimeError)) as caught:
        attempt()
    return f"{caught.type.__name__}: {caught.value}"


def test_same_settings_again_change_nothing(capsys):
    assert virtual_cuda.enable(4, "2 GiB") == virtual_cuda.machine()
    assert capsys.readouterr().out == ""


def test_other_settings_need_disable_first():
    with pytest.raises(RuntimeError, match=r"already on.*disable"):
        virtual_cuda.enable(device_count=2)


def test_machine_describes_itself():
    this = virtual_cuda.machine()
    assert virtual_cuda.is_enabled()
    assert (this.device_count, this.memory) == (4, 2 << 30)
    assert "virtual" in this.name.lower()
    assert this.visible_devices == (0, 1, 2, 3)


@pytest.mark.parametrize("count", [0, 65, -1, 2.0, True, "4"])
def test_impossible_device_counts(count):
    with pytest.raises(ValueError, match="whole number from 1 to 64"):
        virtual_cuda.enable(device_count=count)


@pytest.mark.parametrize("memory", [0, -1, "-2 GiB", "lots", "2 parsecs", "", 1.5, True])
def test_impossible_memory(memory):
    with pytest.raises(ValueError, match="is not an amount of memory"):
        virtual_cuda.enable(memory=memory)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("2 GiB", 2 << 30), ("512MiB", 512 << 20), ("1.5 GB", 1_500_000_000), ("4096", 4096)],
)
def test_memory_texts(text, amount):
    assert virtual_cuda.parse_memory(text) == amount
    assert virtual_cuda.parse_memory(amount) == amount


@pytest.fixture
def switched_off():
    virtual_cuda.disable()
    yield
    virtual_cuda.disable()
    virtual_cuda.enable(4, "2 GiB", quiet=True)


@pytest.mark.usefixtures("switched_off")
class TestRefusals:
    def refuse(self, text: str, **settings: object) -> None:
        with pytest.raises(virtual_cuda.VirtualCudaUnavailable, match=text):
            virtual_cuda.enable(quiet=True, **settings)
        assert not virtual_cuda.is_enabled()
        # The second on the CUDA build, for good, once something named a type "torch.cuda.…Tensor".
        assert stock_error(lambda: torch.ones(1, device="cuda")).startswith((STOCK, ORPHAN))

    def test_untested_torch(self, monkeypatch):
        monkeypatch.setattr(torch, "__version__", "2.99.0")
        self.refuse(
            r"tested with torch 2\.11, 2\.12, 2\.13, not with 2\.99\.0\. Install torch 2\.13"
        )
        virtual_cuda.enable(quiet=True, allow_untested_torch=True, skip_probe=True)
        virtual_cuda.disable()
        monkeypatch.setenv(probe.VARIABLE, "skip")
        monkeypatch.setenv(preconditions.ALLOW_UNTESTED, "1")
        assert virtual_cuda.enable(quiet=True).device_count == 4

    def test_other_platforms(self, monkeypatch):
        monkeypatch.setattr("sys.platform", "sunos5")
        self.refuse(r"not possible here \(they do not support the system sunos5\)\. .*WSL")

    def test_other_pythons_and_builds(self, monkeypatch):
        monkeypatch.setattr("sys.implementation.name", "pypy")
        self.refuse("they need CPython, not pypy")
        monkeypatch.undo()
        monkeypatch.setattr(torch.version, "hip", "7.1")
        self.refuse("ROCm")
        monkeypatch.undo()
        monkeypatch.setattr(switches, "HAS_CUDA_BUILD", True)
        for system in ("darwin", "win32"):
            monkeypatch.setattr("sys.platform", system)
            self.refuse("on this system they need torch's CPU build")

    def test_a_build_without_the_names(self, monkeypatch):
        monkeypatch.setitem(layouts.LAYOUTS, "linux", layouts.WINDOWS)
        self.refuse(r"torch has no usable c10\.dll")
        nameless = dataclasses.replace(layouts.LINUX, cuda_hooks="getCUDAHooks")
        monkeypatch.setitem(layouts.LAYOUTS, "linux", nameless)
        self.refuse(r"this build of torch .* does not export getCUDAHooks\)")

    def test_an_accelerator_that_is_not_accepted(self, monkeypatch):
        monkeypatch.setattr(torch._C, "_get_accelerator", lambda: torch.device("cpu"))
        self.refuse("did not accept a virtual accelerator .it still answers 'cpu'")

    def test_cuda_already_started(self, monkeypatch):
        monkeypatch.setattr(torch.cuda, "_initialized", True)
        with pytest.raises(virtual_cuda.VirtualCudaUnavailable, match=r"already started.*restart"):
            virtual_cuda.enable(quiet=True)

    def test_visible_real_gpu(self, monkeypatch):
        monkeypatch.setattr(preconditions, "HAS_CUDA_BUILD", True)
        monkeypatch.setattr(preconditions, "count_real_gpus", lambda: 1)
        self.refuse("has a real GPU.*hide_real_gpus=True")

    def test_hiding_the_real_gpus(self, monkeypatch):
        import os

        asked_with = []

        def count_devices() -> int:
            asked_with.append(os.environ["CUDA_VISIBLE_DEVICES"])
            return len(asked_with[0])  # the driver reads the variable once

        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
        monkeypatch.setattr(preconditions, "HAS_CUDA_BUILD", True)
        monkeypatch.setattr(preconditions, "count_real_gpus", count_devices)
        virtual_cuda.enable(quiet=True, hide_real_gpus=True)
        assert asked_with == ["", "0"]
        assert virtual_cuda.machine().visible_devices == (0,)
        virtual_cuda.disable()  # before the stand-in for the driver goes

    def test_a_failing_step_undoes_the_others(self, monkeypatch):
        def fail(patches: object) -> None:
            raise OSError("no")

        monkeypatch.setattr(storages, "patch", fail)
        with pytest.raises(OSError, match="no"):
            virtual_cuda.enable(quiet=True)
        assert not virtual_cuda.is_enabled() and not torch.cuda.is_available()
        assert torch._C._get_accelerator().type == "cpu"

    def test_nothing_to_describe(self):
        for ask in (virtual_cuda.machine, virtual_cuda.live_bytes):
            with pytest.raises(RuntimeError, match=r"Call virtual_cuda.enable\(\) first"):
                ask()
        virtual_cuda.disable()  # twice is fine

    def test_banner(self, capsys):
        virtual_cuda.enable(3, "1 GiB")
        printed = capsys.readouterr().out
        assert "3 virtual GPUs of 1.00 GiB" in printed and len(printed.splitlines()) <= 2


@pytest.mark.slow
def test_disable_restores_torch(run_python):
    """Namespaces before and after, and the stock behaviour of everything a program may try.

    Not here: ``torch.Stream`` raises as before, with another text for ``cuda`` (the guard stays).
    """
    printed = run_python("""
        import sys, torch, torch.distributed, torch.nn.parallel
        import torch.utils._device
        import virtual_cuda

        CLASSES = {
            "Tensor": torch.Tensor, "Module": torch.nn.Module, "Parameter": torch.nn.Parameter,
            "storage": torch.storage._StorageBase, "UntypedStorage": torch.UntypedStorage,
            "TypedStorage": torch.TypedStorage,
        }
        OWNERS = CLASSES | {n: m for n, m in sys.modules.items() if n.split(".")[0] == "torch"}

        def namespaces():
            return {name: dict(vars(owner)) for name, owner in OWNERS.items()}

        TRIES = [
            lambda: torch.ones(1, device="cuda"), lambda: torch.ones(1).cuda(),
            lambda: torch.ones(1).to("cuda:1"), lambda: torch.tensor([1.0], device="cuda"),
            lambda: torch.nn.Linear(1, 1).cuda(), lambda: torch.device(1),
            lambda: torch.cuda.is_available(), lambda: torch.cuda.device_count(),
            lambda: torch.cuda.is_initialized(), lambda: torch.cuda.current_device(),
            lambda: torch.cuda.memory_allocated(), lambda: torch.cuda.Stream(),
            lambda: torch.accelerator.current_accelerator(),
            lambda: torch.Generator(device="cuda"), lambda: torch.ones(1).pin_memory(),
            lambda: torch.ones(1).is_pinned(), lambda: torch.cuda.manual_seed(0),
            lambda: torch.cuda.synchronize(), lambda: torch.cuda.get_device_name(),
            lambda: torch.cuda.mem_get_info(), lambda: torch.cuda.Event().record(),
            lambda: torch.nn.DataParallel(torch.nn.Linear(1, 1))(torch.ones(2, 1)).shape,
            lambda: torch.accelerator.device_count(), lambda: torch.accelerator.is_available(),
            lambda: torch.cuda.comm.broadcast(torch.ones(1), [0, 1]),
        ]

        def tried():
            outcomes = []
            for attempt in TRIES:
                try:
                    outcomes.append(repr(attempt()))
                except Exception as error:
                    outcomes.append(type(error).__name__ + ": " + str(error).splitlines()[0])
            return outcomes

        def used():
            virtual_cuda.enable(4, quiet=True)
            net = torch.nn.Linear(3, 3).cuda(1)
            net(torch.ones(2, 3, device="cuda:1")).sum().backward()
            torch.nn.DataParallel(net.cuda(0))(torch.ones(4, 3)).sum().backward()
            torch.cuda.Stream(); torch.Generator("cuda"); torch.ones(1).pin_memory()
            virtual_cuda.disable()
            return net

        def compare(before, after, added):
            for name in OWNERS:
                old, new = before[name], after[name]
                keys = old.keys() | new.keys() if added else old.keys()
                if changed := {key for key in keys if old.get(key) is not new.get(key)}:
                    print("changed:", name, changed)

        stock = tried()
        untouched = namespaces()
        used()
        before = namespaces()
        compare(untouched, before, added=False)  # the first use imports more of torch
        net = used()
        compare(before, namespaces(), added=True)
        for old, new in zip(stock, tried()):
            if old != new:
                print("was", old, "is", new)
        print(stock[0])
        try:
            net.weight + 1
        except (AssertionError, RuntimeError) as error:
            print("orphan", type(error).__name__, str(error).splitlines()[0], sep=": ")
        virtual_cuda.enable(2, quiet=True)
        print(torch.cuda.device_count(), torch.ones(2, device="cuda:1").sum().item())
    """)
    first, orphan, again = printed.splitlines()
    assert first.startswith(STOCK)
    assert orphan == f"orphan: {ORPHAN}"
    assert again == "2 2.0"


@pytest.mark.parametrize(
    ("value", "visible"),
    [
        ("2,0", (2, 0)),
        ("3", (3,)),
        ("1,7,2", (1,)),  # an index that is not there ends the list
        ("0,0", ()),  # torch's parser takes a duplicate for no device
        ("", ()),
        ("-1", ()),
    ],
)
def test_cuda_visible_devices(switched_off, monkeypatch, value, visible):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
    virtual_cuda.enable(4, quiet=True)
    assert torch.cuda.device_count() == len(visible)
    assert torch.cuda.is_available() == bool(visible)
    assert virtual_cuda.machine().visible_devices == visible
    assert virtual_cuda.machine().device_count == 4
    if visible:
        assert torch.ones(1, device=f"cuda:{len(visible) - 1}").item() == 1
        with pytest.raises(torch.AcceleratorError, match="invalid device ordinal"):
            torch.ones(1, device=f"cuda:{len(visible)}")
    else:
        with pytest.raises(RuntimeError, match="No CUDA GPUs are available"):
            torch.ones(1, device="cuda")


@torch_stops_asking_at_the_start
def test_visible_devices_freeze_at_first_use(switched_off, monkeypatch):
    virtual_cuda.enable(4, quiet=True)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1,2")
    assert torch.cuda.device_count() == 3  # asks without starting CUDA
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    torch.ones(1, device="cuda")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    assert torch.cuda.device_count() == 2
    assert torch.ones(1, device="cuda:1").get_device() == 1


@torch_stops_asking_at_the_start
def test_asking_for_availability_freezes_too(switched_off, monkeypatch):
    virtual_cuda.enable(4, quiet=True)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    assert torch.cuda.is_available()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    torch.ones(1, device="cuda")
    assert torch.cuda.device_count() == 1


@pytest.mark.slow
def test_importing_changes_nothing(run_python):
    printed = run_python("""
        import torch
        before = dict(vars(torch._C)), dict(vars(torch.cuda))
        import virtual_cuda
        print(before == (dict(vars(torch._C)), dict(vars(torch.cuda))), torch.cuda.is_available())
    """)
    assert printed.strip() == "True False"


@pytest.mark.slow
def test_exit_is_clean_with_living_tensors(run_python):
    printed = run_python("""
        import torch
        import virtual_cuda
        virtual_cuda.enable(4, quiet=True)
        x = torch.ones(10, device="cuda:3", requires_grad=True)
        y = (x * 2).sum()
        z = torch.ones(4).pin_memory()
        s, g = torch.cuda.Stream(1), torch.Generator("cuda:2")
        print("end")
    """)
    assert printed == "end\n"


@pytest.mark.slow
def test_misuse_raises_and_never_ends_the_process(run_python):
    """What would abort, or read wild memory, inside torch where nobody caught it before."""
    printed = run_python("""
        import threading, torch
        import virtual_cuda

        def fresh(count=4):
            virtual_cuda.disable()
            virtual_cuda.enable(count, quiet=True)

        def orphan(card):
            fresh()
            leaf = torch.ones(3, device=f"cuda:{card}", requires_grad=True)
            return (leaf * 2).sum()

        def backward_after_disable():
            loss = orphan(2)
            virtual_cuda.disable()
            loss.backward()

        def backward_on_a_smaller_machine():
            loss = orphan(3)
            fresh(1)
            loss.backward()

        def disable_within_backward():
            loss = orphan(1)
            loss.grad_fn.register_prehook(lambda gradients: virtual_cuda.disable())
            loss.backward()

        def failing_hook():
            loss = orphan(1)
            loss.grad_fn.register_prehook(lambda gradients: 1 / 0)
            loss.backward()

        def gradient_from_elsewhere():
            fresh()
            leaf = torch.ones(3, device="cuda", requires_grad=True)
            (leaf * 2).backward(torch.ones(3))

        def another_interface():
            class Holder:
                __cuda_array_interface__ = torch.ones(2, device="cuda").__cuda_array_interface__
            torch.as_tensor(Holder(), device="cuda")

        torch.ones(2, requires_grad=True).sum().backward()  # the engine counts its devices now
        MISUSE = [
            backward_after_disable, backward_on_a_smaller_machine, disable_within_backward,
            failing_hook, gradient_from_elsewhere, another_interface,
            lambda: torch.ones(1, device="cuda:4"), lambda: torch.ones(1, device="cuda:100"),
            lambda: torch.ones(1).to(7), lambda: torch.ones(1, device="cuda").to("cuda:9"),
            lambda: torch.cuda.set_device(8), lambda: torch.accelerator.set_device_index(70),
            lambda: torch.cuda.device(12).__enter__(), lambda: torch.cuda.Stream(9),
            lambda: torch.empty(1 << 60, device="cuda"), lambda: torch.empty(-1, device="cuda"),
            lambda: torch.ones(3, device="cuda")[torch.tensor([9], device="cuda")],
            lambda: torch.ones(3, device="cuda").numpy(), lambda: torch.cuda.CUDAGraph().replay(),
            lambda: torch._C.Stream(device="cuda:9"), lambda: torch._C.Generator("cuda"),
            lambda: torch.ones(3, device="cuda") + torch.ones(3, device="meta"),
        ]
        for number, misuse in enumerate(MISUSE):
            if not virtual_cuda.is_enabled():
                fresh()
            print(number, getattr(misuse, "__name__", ""), flush=True)
            try:
                misuse()
            except Exception:
                continue
            print("went through")
        thread = threading.Thread(target=lambda: orphan(1).backward())
        thread.start(); thread.join()
        print("end")
    """)
    assert "went through" not in printed
    assert printed.splitlines()[-1] == "end"


PREPARED = """
import os, sys
import torch
import virtual_cuda

def registered():
    return set(torch._C._dispatch_get_registrations_for_dispatch_key("CUDA"))

virtual_cuda.prepare()
before = registered()
assert not virtual_cuda.is_enabled() and not torch.cuda.is_available()
try:
    torch.ones(2, device="cuda")
except (AssertionError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}".splitlines()[0], flush=True)
if not os.fork():
    virtual_cuda.enable(3, quiet=True)
    x = torch.arange(4.0, device="cuda:2")
    print(x.mul(2).sum().item(), x.device, torch.cuda.device_count(), len(registered() - before))
    sys.stdout.flush()
    os._exit(0)
os.wait()
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.skipif(switches.HAS_CUDA_BUILD, reason="there a machine's kernels go when it goes")
def test_forks_of_a_prepared_process_register_nothing_anew(run_python):
    assert run_python(PREPARED).splitlines() == [STOCK, "12.0 cuda:2 3 0"]
