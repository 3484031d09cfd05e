"""copies_noted(): who copies is told of, in every thread and past PyTorch's modes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch.utils._python_dispatch import _disable_current_modes

from virtual_cuda import copies_noted


@pytest.mark.slow
def test_copies_of_every_thread_are_noted_until_the_end():
    told = []

    def note(source, target):
        place = "a number" if target is None else str(target.device)
        told.append((str(source.device), place, threading.get_ident()))

    x, here = torch.ones(3), threading.get_ident()
    with ThreadPoolExecutor(1) as pool:
        there = pool.submit(threading.get_ident).result()
        with copies_noted(note):
            y = pool.submit(x.to, "cuda:1").result()
            with _disable_current_modes():
                y.cpu()
            y[0].item()
        y.cpu()
    assert told == [
        ("cpu", "cuda:1", there),
        ("cuda:1", "cpu", here),
        ("cuda:1", "a number", here),
    ]
