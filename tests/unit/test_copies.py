"""count_copies(): device-neutral, tried here on virtual cards."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn

from course_utils.experiments.copies import count_copies
from virtual_cuda.interface.data_parallel import comm

pytestmark = pytest.mark.usefixtures("four_gpus")


def test_every_way_to_copy_is_counted_once():
    x, y = torch.ones(3), torch.ones(3, device="cuda:1")
    with count_copies() as copies:
        x.to("cuda:1")
        x.cuda()
        y.cpu()
        y.to("cuda:0", torch.float64)
        y.copy_(x)
        x.clone().copy_(y)
    assert copies.by_route == {
        ("cpu", "cuda:1"): 2,
        ("cpu", "cuda:0"): 1,
        ("cuda:1", "cpu"): 2,
        ("cuda:1", "cuda:0"): 1,
    }
    assert copies.total == 6
    assert copies.bytes_by_route["cpu", "cuda:1"] == 24 and copies.bytes_by_route.total() == 72


def test_copies_of_threads_that_are_started_meanwhile_are_counted_too():
    x = torch.ones(3)
    with count_copies() as copies:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(x.to, "cuda:1").result()
        x.to("cuda:1")
    with ThreadPoolExecutor(1) as pool:
        pool.submit(x.to, "cuda:1").result()
    assert copies.by_route == {("cpu", "cuda:1"): 2}


def test_copies_of_threads_that_were_there_before_are_counted_once():
    x, y = torch.ones(3, requires_grad=True), torch.ones(3, device="cuda:1")

    def work():
        (x.to("cuda:1") * y).sum().backward()  # and a copy back, in a thread of autograd's
        return y[0].item()

    work()  # so that autograd has its threads
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()
        with count_copies() as copies:
            pool.submit(work).result()
            with count_copies() as inner:
                work()
    assert inner.by_route == {("cpu", "cuda:1"): 1, ("cuda:1", "cpu"): 1}
    assert copies.by_route == {("cpu", "cuda:1"): 2, ("cuda:1", "cpu"): 2}
    assert (inner.numbers_read, copies.numbers_read) == (1, 2)


def test_the_first_call_of_data_parallel_is_counted_as_every_other():
    """Virtual replicas share a thread, which begins with the first of them."""
    comm._replicas.cache_clear()

    class ByWayOfTheCpu(nn.Linear):
        def forward(self, x):
            return super().forward(x.cpu().to(x.device))

    parallel = nn.DataParallel(ByWayOfTheCpu(2, 2).cuda(), device_ids=[0, 1])
    counts = []
    for _ in range(2):
        with count_copies() as copies:
            parallel(torch.ones(4, 2))
        counts.append(copies.by_route)
    assert counts[0] == counts[1]


def test_copies_in_inference_mode_are_counted_too():
    x, y = torch.ones(3), torch.ones(3, device="cuda:1")
    net = nn.Linear(3, 2).to("cuda:1")
    with torch.inference_mode(), count_copies() as copies:
        net(x.to("cuda:1"))
        x.cuda()
        y.cpu()
        y.to("cuda:0", torch.float64)
        y.to("cuda:1")
        (y + 1).sum().item()
    assert copies.by_route == {
        ("cpu", "cuda:1"): 1,
        ("cpu", "cuda:0"): 1,
        ("cuda:1", "cpu"): 1,
        ("cuda:1", "cuda:0"): 1,
    }


def test_what_is_no_copy_between_devices():
    x = torch.ones(3, device="cuda:1")
    with count_copies() as copies:
        x.to("cuda:1")
        x.to(torch.float64)
        x.clone()
        (x + 1).sum().item()
        torch.arange(5, device="cuda:1")
        torch.ones(3).double()
    assert copies.total == 0
    assert copies.numbers_read == 1


def test_module_and_what_composites_do_inside():
    net = nn.Linear(3, 2)
    with count_copies() as copies:
        net.to("cuda:2")
    assert copies.by_route == {("cpu", "cuda:2"): 2}
    assert copies.bytes_by_route.total() == (6 + 2) * 4
    with count_copies() as copies:
        torch.as_tensor(torch.ones(2), device="cuda:1")
        torch.nn.parallel.scatter(torch.ones(8), [0, 1])
    assert copies.by_route == {("cpu", "cuda:0"): 1, ("cpu", "cuda:1"): 2}


def test_backward_is_counted_and_counting_ends():
    x = torch.ones(3, requires_grad=True)
    with count_copies() as copies:
        x.cuda().sum().backward()
    assert copies.by_route == {("cpu", "cuda:0"): 1, ("cuda:0", "cpu"): 1}
    x.detach().cuda()
    assert copies.total == 2
