"""Programs that train with DistributedDataParallel, each compared with one process on the CPU.

A case is called in every rank, with a card of its own, and raises where something is not the same.
``run_cases`` is what a rank does: all cases one after another, and a file that says how they went.
"""

from __future__ import annotations

import copy
import gc
import json
import os
import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor, nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks, powerSGD_hook
from torch.distributed.algorithms.join import Join
from torch.distributed.fsdp import (
    FullyShardedDataParallel,
    MixedPrecisionPolicy,
    fully_shard,
)
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.distributed.tensor import init_device_mesh
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

import virtual_cuda

STEPS = 13
SHARE = 3  # samples of each rank in each step
FEATURES = 4
_PATIENCE = timedelta(seconds=60)

Case = Callable[[int, int], None]


class Network(nn.Module):
    """Layers of several sizes, for several buckets, and one that only some calls use."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(FEATURES, 40)
        self.second = nn.Linear(40, 40)
        self.extra = nn.Linear(40, 40)
        self.last = nn.Linear(40, 2)

    def forward(self, x: Tensor, use_extra: bool = False, recompute: bool = False) -> Tensor:
        x = self.first(x).tanh()
        middle = checkpoint(self.second, x, use_reentrant=False) if recompute else self.second(x)
        x = middle.relu()
        return self.last(self.extra(x) if use_extra else x)


class Pair:
    """A model on the cards of all ranks, and its twin in this process, on the CPU."""

    def __init__(self, rank: int, module: nn.Module | None = None, **options: Any) -> None:
        self.rank, self.world = rank, dist.get_world_size()
        twin = Network() if module is None else module
        self.twin = copy.deepcopy(twin)
        options = {"device_ids": [rank], "bucket_cap_mb": 0.005, **options}
        self.model = DistributedDataParallel(twin.cuda(rank), **options)
        self.optimizer = self._optimizer(self.model)
        self.twin_optimizer = self._optimizer(self.twin)

    @staticmethod
    def _optimizer(model: nn.Module) -> torch.optim.Optimizer:
        return torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.5)

    def batch(self, step: int, share: int = SHARE) -> list[tuple[Tensor, Tensor]]:
        """Inputs and targets of one step on the CPU, a share for every rank."""
        generator = torch.Generator().manual_seed(step)
        shape = (self.world, share, FEATURES)
        inputs = torch.randn(shape, generator=generator)
        targets = torch.randn((self.world, share, 2), generator=generator)
        return list(zip(inputs, targets, strict=True))

    def mine(self, step: int) -> tuple[Tensor, Tensor]:
        inputs, targets = self.batch(step)[self.rank]
        return inputs.cuda(), targets.cuda()

    def twin_loss(self, step: int, **options: Any) -> Tensor:
        """The mean over ranks of what each of them computes."""
        losses = [F.mse_loss(self.twin(x, **options), y) for x, y in self.batch(step)]
        return torch.stack(losses).mean()

    def compare(self, **tolerance: float) -> None:
        tolerance = tolerance or {"rtol": 1e-4, "atol": 1e-6}
        named = zip(self.model.module.named_parameters(), self.twin.parameters(), strict=True)
        for (name, ours), its in named:
            assert ours.device == torch.device("cuda", self.rank), name
            if its.grad is None:
                assert ours.grad is None or not ours.grad.any(), name
                continue
            assert ours.grad.device == ours.device, name
            torch.testing.assert_close(ours.grad.cpu(), its.grad, **tolerance)

    def step(self, **tolerance: float) -> None:
        """Compare the gradients, then let both optimizers use them."""
        self.compare(**tolerance)
        for optimizer in (self.optimizer, self.twin_optimizer):
            optimizer.step()
            optimizer.zero_grad()

    def train(self, **tolerance: float) -> None:
        """The ordinary loop."""
        for step in range(STEPS):
            x, y = self.mine(step)
            F.mse_loss(self.model(x), y).backward()
            self.twin_loss(step).backward()
            self.step(**tolerance)


def plain(rank: int, world: int) -> None:
    pair = Pair(rank, find_unused_parameters=True)
    pair.train()
    data = pair.model._get_ddp_logging_data()
    assert data["iteration"] == 10 and data["world_size"] == world


def no_unused_parameters(rank: int, world: int) -> None:
    """The usual settings: one default bucket size, and buckets that are rebuilt."""
    Pair(rank, nn.Sequential(nn.Linear(FEATURES, 5), nn.ReLU(), nn.Linear(5, 2))).train()


def no_sync(rank: int, world: int) -> None:
    pair = Pair(rank, find_unused_parameters=True)
    for step in range(0, 2 * STEPS, 2):
        with pair.model.no_sync():
            x, y = pair.mine(step)
            F.mse_loss(pair.model(x), y).backward()
        x, y = pair.mine(step + 1)
        F.mse_loss(pair.model(x), y).backward()
        (pair.twin_loss(step) + pair.twin_loss(step + 1)).backward()
        pair.step()


def unused_in_some_ranks(rank: int, world: int) -> None:
    pair = Pair(rank, find_unused_parameters=True)
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(pair.model(x, use_extra=(rank + step) % 2 == 0), y).backward()
        losses = [
            F.mse_loss(pair.twin(x, use_extra=(k + step) % 2 == 0), y)
            for k, (x, y) in enumerate(pair.batch(step))
        ]
        torch.stack(losses).mean().backward()
        pair.step()


def static_graph(rank: int, world: int) -> None:
    pair = Pair(rank, static_graph=True)
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(pair.model(x, use_extra=True, recompute=True), y).backward()
        pair.twin_loss(step, use_extra=True).backward()
        pair.step()


def bucket_views(rank: int, world: int) -> None:
    pair = Pair(rank, gradient_as_bucket_view=True, find_unused_parameters=True)
    pair.train()
    weight = pair.model.module.second.weight
    storages = {
        p.grad.untyped_storage().data_ptr() for p in pair.model.parameters() if p.grad is not None
    }
    assert weight.grad is None or len(storages) < 4


def bucket_views_without_syncing(rank: int, world: int) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 5), nn.ReLU(), nn.Linear(5, 2))
    pair = Pair(rank, module, gradient_as_bucket_view=True)
    for step in range(STEPS):
        with pair.model.no_sync():
            x, y = pair.mine(step)
            F.mse_loss(pair.model(x), y).backward()
        F.mse_loss(pair.model(x), y).backward()
        (2 * pair.twin_loss(step)).backward()
        pair.compare()
        parts = [p.grad for p in pair.model.parameters()]
        assert len({part.untyped_storage().data_ptr() for part in parts}) == 1
        pair.step()


def hooks_of_parameters(rank: int, world: int) -> None:
    """A hook on a parameter changes its gradient before, one after accumulation sees it after."""
    pair = Pair(rank, find_unused_parameters=True)
    seen: list[torch.device] = []
    for model in (pair.model.module, pair.twin):
        model.second.weight.register_hook(lambda grad: 2 * grad)
    pair.model.module.last.weight.register_post_accumulate_grad_hook(
        lambda parameter: seen.append(parameter.grad.device)
    )
    pair.train()
    assert seen == [torch.device("cuda", rank)] * STEPS


def _with_hook(rank: int, state: Any, hook: Any, **tolerance: float) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 30), nn.ReLU(), nn.Linear(30, 2))
    pair = Pair(rank, module)
    pair.model.register_comm_hook(state, hook)
    pair.train(**tolerance)


def hook_of_gradients(rank: int, world: int) -> None:
    """A hook of one's own sees buckets of its card, and futures that hold tensors of its card."""

    def hook(state, bucket):  # DDP wants no annotations, or its own
        buffer = bucket.buffer()
        assert buffer.device == torch.device("cuda", rank)
        assert all(g.device == buffer.device for g in bucket.gradients())
        future = dist.all_reduce(buffer, async_op=True).get_future()

        def divide(done: torch.futures.Future[list[Tensor]]) -> Tensor:
            total = done.value()[0]
            assert total.device == buffer.device
            return total / torch.tensor(world, device=total.device)

        return future.then(divide)

    _with_hook(rank, None, hook)


def hooks_of_torch(rank: int, world: int) -> None:
    _with_hook(rank, None, default_hooks.allreduce_hook)
    _with_hook(rank, None, default_hooks.fp16_compress_hook, rtol=0.02, atol=0.005)
    _with_hook(rank, None, default_hooks.bf16_compress_hook, rtol=0.1, atol=0.03)


def power_sgd(rank: int, world: int) -> None:
    """It approximates: all ranks must have the same gradients, of which most is right."""
    module = nn.Sequential(nn.Linear(FEATURES, 30), nn.ReLU(), nn.Linear(30, 2))
    pair = Pair(rank, module)
    state = powerSGD_hook.PowerSGDState(
        None, matrix_approximation_rank=2, start_powerSGD_iter=2, min_compression_rate=0.1
    )
    pair.model.register_comm_hook(state, powerSGD_hook.powerSGD_hook)
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(pair.model(x), y).backward()
        for parameter in pair.model.parameters():
            grads = [torch.empty_like(parameter.grad) for _ in range(world)]
            dist.all_gather(grads, parameter.grad)
            torch.testing.assert_close(grads, [parameter.grad] * world)
        pair.optimizer.step()
        pair.optimizer.zero_grad()


def built_in_hooks(rank: int, world: int) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 5), nn.ReLU(), nn.Linear(5, 2))
    for kind, tolerance in (
        (dist.BuiltinCommHookType.ALLREDUCE, {}),
        (dist.BuiltinCommHookType.FP16_COMPRESS, {"rtol": 0.02, "atol": 0.005}),
    ):
        pair = Pair(rank, copy.deepcopy(module))
        pair.model._register_builtin_comm_hook(kind)
        pair.train(**tolerance)


def uneven_inputs(rank: int, world: int) -> None:
    """Rank k has k batches more than the first; those that are done shadow the others."""
    module = nn.Sequential(nn.Linear(FEATURES, 5), nn.ReLU(), nn.Linear(5, 2))
    pair = Pair(rank, module)
    with pair.model.join(divide_by_initial_world_size=False):
        for step in range(STEPS + rank):
            x, y = pair.mine(step)
            pair.optimizer.zero_grad()
            F.mse_loss(pair.model(x), y).backward()
            pair.optimizer.step()
    for step in range(STEPS + world - 1):
        pair.twin_optimizer.zero_grad()
        joined = [
            F.mse_loss(pair.twin(x), y)
            for k, (x, y) in enumerate(pair.batch(step))
            if step < STEPS + k
        ]
        torch.stack(joined).mean().backward()
        pair.twin_optimizer.step()
    for ours, its in zip(pair.model.parameters(), pair.twin.parameters(), strict=True):
        torch.testing.assert_close(ours.detach().cpu(), its.detach(), rtol=1e-4, atol=1e-6)


def uneven_inputs_and_a_shared_optimizer(rank: int, world: int) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 5), nn.ReLU(), nn.Linear(5, 2))
    pair = Pair(rank, module)
    optimizer = ZeroRedundancyOptimizer(pair.model.parameters(), torch.optim.Adam, lr=0.01)
    with Join([pair.model, optimizer]):
        for step in range(STEPS + rank):
            x, y = pair.mine(step)
            optimizer.zero_grad()
            F.mse_loss(pair.model(x), y).backward()
            optimizer.step()
    for parameter in pair.model.parameters():
        others = [torch.empty_like(parameter) for _ in range(world)]
        dist.all_gather(others, parameter.detach())
        assert all(torch.equal(other, parameter) for other in others)


def batch_norm_over_ranks(rank: int, world: int) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 5), nn.BatchNorm1d(5), nn.ReLU(), nn.Linear(5, 2))
    twin = copy.deepcopy(module)
    pair = Pair(rank, nn.SyncBatchNorm.convert_sync_batchnorm(module))
    pair.twin = twin
    pair.twin_optimizer = pair._optimizer(pair.twin)
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(pair.model(x), y).backward()
        everything = [torch.cat(parts) for parts in zip(*pair.batch(step), strict=True)]
        F.mse_loss(pair.twin(everything[0]), everything[1]).backward()
        pair.step(rtol=1e-3, atol=1e-4)
    ours, its = pair.model.module[1], pair.twin[1]
    torch.testing.assert_close(ours.running_var.cpu(), its.running_var, rtol=1e-3, atol=1e-4)


def buffers_of_the_first_rank(rank: int, world: int) -> None:
    """Running statistics of ordinary batch norm: those of rank 0 are everybody's."""
    module = nn.Sequential(nn.Linear(FEATURES, 5), nn.BatchNorm1d(5), nn.Linear(5, 2))
    pair = Pair(rank, module)
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(pair.model(x), y).backward()
        pair.optimizer.step()
        pair.optimizer.zero_grad()
    pair.model.eval()
    pair.model(x)
    mean = pair.model.module[1].running_mean
    means = [torch.empty_like(mean) for _ in range(world)]
    dist.all_gather(means, mean)
    assert pair.model.module[1].num_batches_tracked == STEPS
    pair.model.train()
    pair.model(x)  # which sends them
    means = [torch.empty_like(mean) for _ in range(world)]
    dist.all_gather(means, pair.model.module[1].running_var)
    assert all(tensor.device == mean.device for tensor in means)


def mixed_precision(rank: int, world: int) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 8), nn.ReLU(), nn.Linear(8, 2))
    pair = Pair(rank, module)
    scaler = torch.amp.GradScaler("cuda", init_scale=256.0)
    for step in range(STEPS):
        x, y = pair.mine(step)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(pair.model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(pair.optimizer)
        nn.utils.clip_grad_norm_(pair.model.parameters(), 1e3)
        pair.twin_loss(step).backward()
        pair.compare(rtol=0.05, atol=0.01)
        scaler.step(pair.optimizer)
        scaler.update()
        pair.optimizer.zero_grad()
        pair.twin_optimizer.zero_grad()
        for ours, its in zip(pair.model.parameters(), pair.twin.parameters(), strict=True):
            its.data.copy_(ours.data)


def a_model_over_two_cards(rank: int, world: int) -> None:
    """Model parallel: each rank has the first half on its card and the second on the next."""

    class Halves(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.near, self.far = nn.Linear(FEATURES, 5), nn.Linear(5, 2)

        def forward(self, x: Tensor) -> Tensor:
            return self.far(self.near(x).relu().to(self.far.weight.device))

    module = Halves()
    twin = copy.deepcopy(module)
    next_card = (rank + 1) % world
    module.near.cuda(rank)
    module.far.cuda(next_card)
    model = DistributedDataParallel(module)
    pair = Pair(rank)
    pair.twin = twin
    for step in range(STEPS):
        x, y = pair.mine(step)
        model.zero_grad()
        twin.zero_grad()
        F.mse_loss(model(x), y.to(f"cuda:{next_card}")).backward()
        pair.twin_loss(step).backward()
        for ours, its in zip(model.parameters(), twin.parameters(), strict=True):
            assert ours.grad.device == ours.device
            torch.testing.assert_close(ours.grad.cpu(), its.grad, rtol=1e-4, atol=1e-6)


def sparse_gradients(rank: int, world: int) -> None:
    """Gradients of an embedding travel as indices and values: by gloo, since NCCL has none."""

    class Words(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(9, FEATURES, sparse=True)
            self.last = nn.Linear(FEATURES, 2)

        def forward(self, x: Tensor) -> Tensor:
            return self.last(self.words((x.abs() * 3).long().clamp(max=8)).mean(-2))

    pair = Pair(rank, Words(), process_group=dist.new_group(backend="gloo"))
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(pair.model(x), y).backward()
        pair.twin_loss(step).backward()
        ours, its = pair.model.module.words.weight.grad, pair.twin.words.weight.grad
        assert ours.is_sparse and ours.device == torch.device("cuda", rank)
        torch.testing.assert_close(ours.to_dense().cpu(), its.to_dense(), rtol=1e-4, atol=1e-6)
        for optimizer in (pair.optimizer, pair.twin_optimizer):
            optimizer.step()
            optimizer.zero_grad()


def _shard(module: nn.Module, **options: Any) -> None:
    for layer in module:
        if isinstance(layer, nn.Linear):
            fully_shard(layer, **options)
    fully_shard(module, **options)


def fully_sharded(rank: int, world: int) -> None:
    """FSDP2: parameters, gradients and the optimizer's state in parts on the ranks."""
    module = nn.Sequential(nn.Linear(FEATURES, 9), nn.ReLU(), nn.Linear(9, 2)).cuda()
    twin = copy.deepcopy(module).cpu()
    _shard(module)
    optimizers = [torch.optim.Adam(m.parameters(), lr=0.01) for m in (module, twin)]
    pair = Pair(rank)
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(module(x), y).backward()
        pair.twin = twin
        pair.twin_loss(step).backward()
        for ours, its in zip(module.parameters(), twin.parameters(), strict=True):
            assert ours.device == torch.device("cuda", rank)
            assert ours.to_local().numel() < its.numel() or its.numel() < world
            torch.testing.assert_close(
                ours.grad.full_tensor().cpu(), its.grad, rtol=1e-4, atol=1e-6
            )
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()


def sharded_by_the_older_fsdp(rank: int, world: int) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 8), nn.ReLU(), nn.Linear(8, 2))
    twin = copy.deepcopy(module)
    model = FullyShardedDataParallel(module.cuda(), device_id=rank)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.05) for m in (model, twin)]
    pair = Pair(rank)
    pair.twin = twin
    for step in range(STEPS):
        x, y = pair.mine(step)
        F.mse_loss(model(x), y).backward()
        pair.twin_loss(step).backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
    with FullyShardedDataParallel.summon_full_params(model):
        for ours, its in zip(model.parameters(), twin.parameters(), strict=True):
            torch.testing.assert_close(ours.detach().cpu(), its.detach(), rtol=1e-4, atol=1e-6)


def tensor_parallel(rank: int, world: int) -> None:
    module = nn.Sequential(nn.Linear(FEATURES, 8), nn.ReLU(), nn.Linear(8, 2))
    twin = copy.deepcopy(module)
    mesh = init_device_mesh("cuda", (world,))
    plan = {"0": ColwiseParallel(), "2": RowwiseParallel()}
    model = parallelize_module(module.cuda(), mesh, plan)
    x = torch.ones(3, FEATURES)
    y = model(x.cuda())
    y.sum().backward()
    twin(x).sum().backward()
    torch.testing.assert_close(y.cpu(), twin(x))
    for ours, its in zip(model.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(ours.grad.full_tensor().cpu(), its.grad)


def sharding_saves_memory(rank: int, world: int) -> None:
    """Between steps a card holds its part of the parameters, and the books say so."""
    layers = [nn.Linear(256, 256, bias=False) for _ in range(4)]
    nbytes = 4 * 256 * 256 * 4
    gc.collect()  # what earlier cases left in cycles would be freed in between
    before = torch.cuda.memory_allocated()
    module = nn.Sequential(*layers).cuda()
    assert torch.cuda.memory_allocated() - before == nbytes
    _shard(module, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
    for _ in range(2):
        module(torch.ones(2, 256, device="cuda")).sum().backward()
        module.zero_grad()
    gc.collect()
    assert torch.cuda.memory_allocated() - before < nbytes / world + 100_000


def no_copies_to_the_host(rank: int, world: int) -> None:
    """Gradients stay on the card: no step makes the host wait, and no copy crosses the bus."""
    module = nn.Sequential(nn.Linear(FEATURES, 5), nn.ReLU(), nn.Linear(5, 2))
    pair = Pair(rank, module, gradient_as_bucket_view=rank % 2 == 0)
    for step in range(3):
        x, y = pair.mine(step)
        F.mse_loss(pair.model(x), y).backward()
    torch.cuda.set_sync_debug_mode("error")
    with virtual_cuda.trace() as trace:
        F.mse_loss(pair.model(x), y).backward()
    torch.cuda.set_sync_debug_mode("default")
    assert {work.engine for work in trace.intervals} == {"compute"}, trace
    assert not trace.hazards, trace


CASES: dict[str, Case] = {
    case.__name__: case
    for case in (
        plain,
        no_unused_parameters,
        no_sync,
        unused_in_some_ranks,
        static_graph,
        bucket_views,
        bucket_views_without_syncing,
        hooks_of_parameters,
        hook_of_gradients,
        hooks_of_torch,
        power_sgd,
        built_in_hooks,
        uneven_inputs,
        uneven_inputs_and_a_shared_optimizer,
        batch_norm_over_ranks,
        buffers_of_the_first_rank,
        mixed_precision,
        a_model_over_two_cards,
        sparse_gradients,
        no_copies_to_the_host,
        fully_sharded,
        sharded_by_the_older_fsdp,
        tensor_parallel,
        sharding_saves_memory,
    )
}


def run_cases(rank: int, world: int, backend: str, folder: str, names: list[str]) -> None:
    """Run cases in one rank; write what failed, by case. After a failure the rest is left out."""
    torch.set_num_threads(1)
    virtual_cuda.enable(world, quiet=True)
    torch.cuda.set_device(rank)
    store = dist.FileStore(str(Path(folder) / "store"), world)
    dist.init_process_group(backend, rank=rank, world_size=world, store=store, timeout=_PATIENCE)
    outcomes = dict.fromkeys(names, "not run: a case before it failed")
    for name in names:
        try:
            torch.manual_seed(0)
            CASES[name](rank, world)
        except BaseException:
            outcomes[name] = traceback.format_exc()
            break
        outcomes[name] = ""
    (Path(folder) / f"{rank}.json").write_text(json.dumps(outcomes))
    if all(outcome == "" for outcome in outcomes.values()):
        dist.destroy_process_group()
    else:
        os._exit(0)  # the others may wait in a collective for ever
