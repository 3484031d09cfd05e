"""CUDA graphs: what is captured, what a capture does not allow, what a replay does."""

from __future__ import annotations

import contextlib

import torch

from ..probe import refuses, shows, warns

GRAPH = "aten/src/ATen/cuda/CUDAGraph.cpp"
GENERATOR = "aten/src/ATen/cuda/CUDAGeneratorImpl.cpp"
TEST = "test/test_cuda.py"
NOTES = "docs/source/notes/cuda.rst: CUDA Graphs, Constraints"
RUNTIME = "CUDA runtime: cudaErrorStreamCaptureUnsupported"
INVALIDATED = "CUDA runtime: cudaErrorStreamCaptureInvalidated; torch/cuda/graphs.py graph.__exit__"
SYNC = "CUDA error: operation not permitted when stream is capturing"
FAILED = "captures that fail"
LOST = "CUDA error: operation failed due to a previous error during capture"


def captured(act, **options):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, **options):
        act()
    return graph


def first_error(act):
    """What ``act`` itself raises inside a capture, before the capture ends."""
    torch.cuda.synchronize()
    graph, errors = torch.cuda.CUDAGraph(), []
    with torch.cuda.stream(torch.cuda.Stream()):
        graph.capture_begin()
        try:
            act()
        except RuntimeError as error:
            errors.append(error)
        with contextlib.suppress(RuntimeError):
            graph.capture_end()
    if errors:
        raise errors[0]


def counted(replays, draws=False):
    """A counter that each replay raises, or what each draws."""
    x = torch.zeros(1, device="cuda")
    graph = captured(lambda: x.uniform_() if draws else x.add_(1))
    seen = [x.item()]
    for _ in range(replays):
        graph.replay()
        seen.append(x.item())
    return seen


def without_capture_end():
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.stream(torch.cuda.Stream()):
        graph.capture_begin()
        inside = torch.cuda.is_current_stream_capturing()
        graph.capture_end()
    return [inside, torch.cuda.is_current_stream_capturing()]


def ended_elsewhere():
    graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    with torch.cuda.stream(stream):
        graph.capture_begin()
    try:
        graph.capture_end()
    finally:
        with torch.cuda.stream(stream):
            graph.capture_end()


def on_a_stream(act):
    with torch.cuda.stream(torch.cuda.Stream()):
        return act()


def recaptured():
    graph = captured(lambda: torch.ones(1, device="cuda"))
    on_a_stream(graph.capture_begin)


def reset_and_captured():
    x = torch.zeros(1, device="cuda")
    graph = captured(lambda: x.add_(1))
    graph.reset()
    with torch.cuda.graph(graph):
        x.add_(10)
    graph.replay()
    return x.item()


def inputs_are_read_at_replay():
    x, y = torch.ones(1, device="cuda"), torch.zeros(1, device="cuda")
    graph = captured(lambda: y.copy_(x * 2))
    x.fill_(5)
    graph.replay()
    return y.item()


def numbers_are_frozen():
    factor, x = 2, torch.ones(1, device="cuda")

    def multiply():
        x.mul_(factor)

    graph = captured(multiply)
    factor = 10
    graph.replay()
    return [x.item(), factor]


def seeded_replay():
    x = torch.zeros(4, device="cuda")
    graph = captured(lambda: x.uniform_())
    torch.cuda.manual_seed(3)
    graph.replay()
    first = x.tolist()
    torch.cuda.manual_seed(3)
    graph.replay()
    return first == x.tolist()


def pools():
    first = captured(lambda: torch.ones(1, device="cuda"))
    second = captured(lambda: torch.ones(1, device="cuda"), pool=first.pool())
    return first.pool() == second.pool()


shows(
    "nothing is computed while it is captured",
    f"{TEST} test_graph_capture_simple; {NOTES}",
    lambda: counted(0),
    [0.0],
)
shows(
    "each replay computes", f"{TEST} test_graph_capture_simple", lambda: counted(2), [0.0, 1.0, 2.0]
)
shows(
    "each replay draws anew",
    f"{TEST} test_graph_rng_functional",
    lambda: len(set(counted(3, draws=True))),
    4,
)
shows(
    "a seed holds for replays",
    f"{TEST} test_graph_rng_functional; {GENERATOR} replay_prologue",
    seeded_replay,
    True,
)
shows(
    "is_current_stream_capturing",
    f"{TEST} test_graph_is_current_stream_capturing",
    without_capture_end,
    [True, False],
)
shows("inputs are read at replay", NOTES, inputs_are_read_at_replay, 10.0)
shows("numbers of Python are frozen", f"{NOTES}: CPU work is elided", numbers_are_frozen, [2.0, 10])
shows(
    "reset, then captured again",
    f"{TEST} test_graph_capture_reset_recapture",
    reset_and_captured,
    10.0,
)
shows("two graphs share a pool", "docs: torch.cuda.graph, pool", pools, True)
shows(
    "a pool handle is a pair",
    "docs: torch.cuda.graph_pool_handle",
    lambda: len(torch.cuda.graph_pool_handle()),
    2,
)
refuses(
    "capture on the default stream",
    f"{TEST} test_graph_error",
    lambda: torch.cuda.CUDAGraph().capture_begin(),
    "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to "
    "replay them on the default stream.)",
    group=FAILED,
)
refuses(
    "a second capture",
    f"{GRAPH} capture_begin",
    recaptured,
    "This CUDAGraph instance already owns a captured graph. To capture a new graph, create a "
    "new instance.",
    group=FAILED,
)
refuses(
    "replay without a capture",
    f"{GRAPH} replay",
    lambda: torch.cuda.CUDAGraph().replay(),
    "Called CUDAGraph::replay without a preceding successful capture.",
)
refuses(
    "pool without a capture",
    f"{GRAPH} pool",
    lambda: torch.cuda.CUDAGraph().pool(),
    "Called CUDAGraph::pool() without a preceding successful capture.",
)
refuses(
    "a capture that ends on another stream",
    f"{GRAPH} capture_end",
    ended_elsewhere,
    "Capture must end on the same stream it began on.",
    group=FAILED,
)
warns(
    "an empty graph",
    f"{TEST} test_graph_warn_if_has_zero_nodes",
    lambda: captured(lambda: None),
    "The CUDA Graph is empty. This usually means that the graph was attempted to be captured on "
    "wrong device or stream.",
)
warns(
    "debug_dump without debug mode",
    f"{GRAPH} debug_dump",
    lambda: captured(lambda: torch.ones(1, device="cuda")).debug_dump("graph.dot"),
    "CUDA Graphs debug not enabled",
)
refuses(
    "too much memory in a capture",
    f"{TEST} test_graph_capture_oom",
    lambda: captured(lambda: torch.zeros(2**40, device="cuda")),
    "out of memory",
    "OutOfMemoryError",
    group=FAILED,
)
for name, act in {
    "item": lambda x: x.sum().item(),
    "cpu": lambda x: x.cpu(),
    "nonzero": lambda x: x.nonzero(),
    "a mask as index": lambda x: x[x > 0],
    "torch.cuda.synchronize": lambda x: torch.cuda.synchronize(),
    "the stream's synchronize": lambda x: torch.cuda.current_stream().synchronize(),
    "the stream's query": lambda x: torch.cuda.current_stream().query(),
    "bool": lambda x: bool(x.sum()),
    "tolist": lambda x: x.tolist(),
    "print": lambda x: str(x),
    "torch.equal": lambda x: torch.equal(x, x),
    "a copy from pageable memory": lambda x: x.copy_(torch.ones(2)),
}.items():
    refuses(
        f"{name} while it is captured",
        f"{RUNTIME}; {NOTES}",
        lambda act=act: (lambda x: first_error(lambda: act(x)))(torch.ones(2, device="cuda")),
        SYNC,
        "AcceleratorError",
        group=FAILED,
    )
refuses(
    "after a wait the capture is lost",
    INVALIDATED,
    lambda: captured(lambda: torch.ones(1, device="cuda").item()),
    LOST,
    "AcceleratorError",
    group=FAILED,
)
for name, act in {
    "set_current_seed": lambda: torch.cuda.manual_seed(1),
    "seed": lambda: torch.cuda.seed(),
    "current_seed": lambda: torch.cuda.initial_seed(),
    "get_offset": lambda: torch.cuda.default_generators[0].get_offset(),
}.items():
    refuses(
        f"{name} while it is captured",
        f"{GENERATOR} {name}; CUDAGraphsUtils.cuh",
        lambda act=act: first_error(act),
        f"Cannot call CUDAGeneratorImpl::{name} during CUDA graph capture. If you need this "
        "call to be captured, please file an issue.",
        group=FAILED,
    )
refuses(
    "a new generator while it is captured",
    f"{GENERATOR} CUDAGeneratorImpl",
    lambda: first_error(lambda: torch.Generator("cuda")),
    "Cannot construct a new CUDAGeneratorImpl during CUDA graph capture.",
    group=FAILED,
)
refuses(
    "a generator that the graph does not know",
    f"{GENERATOR} increase",
    lambda: (lambda g: first_error(lambda: torch.ones(1, device="cuda").uniform_(generator=g)))(
        torch.Generator("cuda")
    ),
    "Attempt to increase offset for a CUDA generator not in capture mode.",
    group=FAILED,
)
shows(
    "memory may be allocated while it is captured",
    NOTES,
    lambda: type(captured(lambda: torch.empty(1 << 20, device="cuda"))).__name__,
    "CUDAGraph",
)
