"""CUDA's start: each of these programs is the first in its process to ask for CUDA."""

from __future__ import annotations

import os
import traceback

import torch
import torch.nn.functional as F

from ..registry import OWN, Devices, Facts, caught, program
from .current_device import INVALID_ORDINAL

LAZY = "torch/cuda/__init__.py _lazy_init"
VISIBLE = "CUDA_VISIBLE_DEVICES"
PARSER = "torch/cuda/__init__.py _parse_visible_devices, device_count; ERRATA C"


def show_cards(*positions: int) -> None:
    """Let CUDA_VISIBLE_DEVICES name cards by their position among those visible now."""
    now = os.environ.get(VISIBLE)
    cards = now.split(",") if now else [str(i) for i in range(max(positions, default=0) + 1)]
    os.environ[VISIBLE] = ",".join(cards[i] for i in positions)


@program(
    {"import": False, "count": False, "available": False, "tensor": True},
    process=OWN,
    source=LAZY + "; ERRATA E36",
)
def lazy(devices: Devices) -> Facts:
    """Neither importing nor counting starts CUDA; the first tensor does."""
    facts = {"import": torch.cuda.is_initialized()}
    torch.cuda.device_count()
    facts["count"] = torch.cuda.is_initialized()
    torch.cuda.is_available()
    facts["available"] = torch.cuda.is_initialized()
    _ = torch.ones(1, device=devices[0])
    return {**facts, "tensor": torch.cuda.is_initialized()}


@program(
    {"allocated": 0, "stats": {}, "initialized": False, "manual_seed": False},
    process=OWN,
    source=LAZY + "; torch/cuda/memory.py",
)
def questions_that_do_not_start_it(devices: Devices) -> Facts:
    """Memory questions and seeds before the start do not start CUDA."""
    facts: Facts = {"allocated": torch.cuda.memory_allocated(), "stats": torch.cuda.memory_stats()}
    facts["initialized"] = torch.cuda.is_initialized()
    torch.cuda.manual_seed_all(3)
    torch.manual_seed(3)
    return {**facts, "manual_seed": torch.cuda.is_initialized()}


@program({"seed": 5, "repeats": True}, process=OWN, source="ERRATA E32: queued until the start")
def seeds_before_the_start(devices: Devices) -> Facts:
    """A seed given before the start is used at the start."""
    torch.cuda.manual_seed(5)
    first = torch.rand(3, device=devices[0])
    torch.cuda.manual_seed(5)
    return {
        "seed": torch.cuda.initial_seed(),
        "repeats": torch.equal(first, torch.rand(3, device=devices[0])),
    }


@program({"seed": "int", "initialized": True}, process=OWN, source="ERRATA E34")
def asking_for_the_seed_starts_it(devices: Devices) -> Facts:
    """``initial_seed`` starts CUDA."""
    seed = torch.cuda.initial_seed()
    return {"seed": type(seed).__name__, "initialized": torch.cuda.is_initialized()}


@program(
    {"count": 1, "second": "AcceleratorError", "name": True}, devices=2, process=OWN, source=PARSER
)
def choosing_one_card(devices: Devices) -> Facts:
    """One visible card is card 0."""
    show_cards(1)
    name = torch.ones(1, device="cuda:0").device
    return {
        "count": torch.cuda.device_count(),
        "second": caught(lambda: torch.ones(1, device="cuda:1"))["type"],
        "name": str(name) == "cuda:0",
    }


@program(
    {"before": [1, 2], "after": 2, "works": "cuda:1"},
    devices=2,
    process=OWN,
    source="ERRATA E36, E40: read once",
)
def frozen_at_the_start(devices: Devices) -> Facts:
    """The variable is read until CUDA starts, and never after."""
    original = os.environ.get(VISIBLE)
    show_cards(0)
    before = [torch.cuda.device_count()]
    if original is None:
        del os.environ[VISIBLE]
    else:
        os.environ[VISIBLE] = original
    show_cards(0, 1)
    before.append(torch.cuda.device_count())
    _ = torch.ones(1, device=devices[0])
    os.environ[VISIBLE] = ""
    return {
        "before": before,
        "after": torch.cuda.device_count(),
        "works": torch.ones(1, device="cuda:1").device,
    }


@program(
    {
        "available": False,
        "count": 0,
        "error": {"type": "RuntimeError", "text": "No CUDA GPUs are available"},
        "accelerator": False,
    },
    process=OWN,
    source=LAZY,
)
def hiding_all_cards(devices: Devices) -> Facts:
    """An empty list hides all cards."""
    os.environ[VISIBLE] = ""
    return {
        "available": torch.cuda.is_available(),
        "count": torch.cuda.device_count(),
        "error": caught(lambda: torch.ones(1, device="cuda")),
        "accelerator": torch.accelerator.is_available(),
    }


@program({"count": 0, "parsed": []}, process=OWN, source=PARSER)
def minus_one_hides_all(devices: Devices) -> Facts:
    """So does -1."""
    os.environ[VISIBLE] = "-1"
    return {"count": torch.cuda.device_count(), "parsed": torch.cuda._parse_visible_devices()}


@program({"count": 1}, process=OWN, source="ERRATA E44: an invalid entry ends the list")
def the_list_ends_at_a_wrong_entry(devices: Devices) -> Facts:
    """What follows an entry that is no card is ignored."""
    show_cards(0)
    os.environ[VISIBLE] += ",99,98"
    return {"count": torch.cuda.device_count()}


@program({"parsed": []}, process=OWN, source="ERRATA E44; " + PARSER)
def duplicates(devices: Devices) -> Facts:
    """torch's parser takes no card from a list with duplicates."""
    os.environ[VISIBLE] = "0,0"
    return {"parsed": torch.cuda._parse_visible_devices()}


@program(
    {
        "type": "RuntimeError",
        "text": "Cannot re-initialize CUDA in forked subprocess. To use CUDA with "
        "multiprocessing, you must use the 'spawn' start method",
    },
    process=OWN,
    source=LAZY + "; ERRATA J",
)
def forking_after_the_start(devices: Devices) -> Facts:
    """A forked child cannot use CUDA once the parent has."""
    _ = torch.ones(1, device=devices[0])
    return in_a_child(lambda: torch.ones(1, device=devices[0]))


@program({"type": None, "text": None}, process=OWN, source=LAZY)
def forking_before_the_start(devices: Devices) -> Facts:
    """Before that it can."""
    return in_a_child(lambda: torch.ones(1, device=devices[0]).add_(1))


def in_a_child(action) -> Facts:
    """Type and text of what ``action`` raises in a forked child."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:  # the child says what it saw and ends without any cleaning up
        try:
            error = caught(action)
            os.write(writable, f"{error['type']}\n{error['text']}".encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as stream:
        kind, _, text = stream.read().decode().partition("\n")
    os.waitpid(child, 0)
    return {"type": None if kind == "None" else kind, "text": None if text == "None" else text}


@program(
    {
        "type": "AcceleratorError",
        "text": "CUDA error: device-side assert triggered\nSearch for `cudaErrorAssert' in "
        "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more "
        "information.\nCUDA kernel errors might be asynchronously reported at some other API "
        "call, so the stacktrace below might be incorrect.\nFor debugging consider passing "
        "CUDA_LAUNCH_BLOCKING=1\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side "
        "assertions.\n",
    },
    process=OWN,
    source="c10/cuda/CUDAMiscFunctions.cpp; public logs of 2026",
)
def a_label_out_of_range(devices: Devices) -> Facts:
    """A wrong label is found on the card, by the next wait at the latest."""
    return caught(lambda: learn_a_wrong_label(devices[0]))


@program({"later": "AcceleratorError"}, process=OWN, source="CUDA: the context is corrupted")
def after_a_device_side_assert(devices: Devices) -> Facts:
    """After that CUDA is dead in this process."""
    caught(lambda: learn_a_wrong_label(devices[0]))
    return {"later": caught(lambda: torch.ones(1, device=devices[0]).add_(1).item())["type"]}


def learn_a_wrong_label(device: torch.device) -> None:
    """Cross entropy with a label that is no class."""
    F.cross_entropy(torch.zeros(2, 3, device=device), torch.tensor([0, 7], device=device))
    torch.cuda.synchronize()


@program(
    {"error": {"type": "AcceleratorError", "text": INVALID_ORDINAL}, "alive": 2.0},
    process=OWN,
    source="CUDA: an invalid ordinal does not harm the context",
)
def a_wrong_number_first(devices: Devices) -> Facts:
    """A wrong device number does not break CUDA, even as the first call."""
    error = caught(lambda: torch.ones(1, device="cuda:77"))
    return {"error": error, "alive": torch.ones(1, device=devices[0]).add_(1).item()}
