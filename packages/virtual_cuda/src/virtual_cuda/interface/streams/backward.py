"""Backward passes: in the calling thread, each function on the stream of its forward.

On CUDA a function of the graph runs on the stream that was current when forward made it, after the
functions whose gradients it gets. At the end the caller's stream waits for all of them ("Stream
semantics of backward passes" in PyTorch's notes on CUDA). The stream is found from autograd's
sequence numbers (``history`` of ``timing.clock``). Programs that choose no stream skip all this.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import Node

from ... import runtime
from ...patches import Patches
from ...timing.clock import Lane, StreamIds, current_streams


def _first_nodes(outputs: Iterable[Any]) -> list[Node]:
    """The first nodes of a backward pass. ``outputs`` are tensors or edges of the graph."""
    nodes = []
    for output in outputs:
        if not isinstance(output, Tensor):
            nodes.append(output.node)
        elif output.grad_fn is not None:
            nodes.append(output.grad_fn)
    return nodes


def _with_parents(first: Iterable[Node]) -> dict[Node, list[Node]]:
    """Each function of a graph -> the functions whose gradients it gets."""
    parents: dict[Node, list[Node]] = {node: [] for node in first}
    left = list(parents)
    while left:
        node = left.pop()
        for child, _ in node.next_functions:
            if child is None:
                continue
            if child not in parents:
                parents[child] = []
                left.append(child)
            parents[child].append(node)
    return parents


def _streams_at(number: int) -> StreamIds:
    """The streams that were current when this thread made the function with this number."""
    history = current_streams.history
    place = bisect_right(history, number, key=lambda entry: entry[0])
    return history[place - 1][1] if place else {}


def _made_on(node: Node, parents: list[Node]) -> StreamIds:
    """The streams of a function. A gradient accumulator has those of the leaf's first use."""
    if node.next_functions or not parents:
        return _streams_at(node._sequence_nr())
    return _streams_at(min(parent._sequence_nr() for parent in parents))


def _card_of(node: Node) -> int:
    devices = (metadata.device for metadata in node._input_metadata)
    return next((d.index for d in devices if d.type == "cuda"), runtime.current_device())


class _Schedule:
    """A backward pass with functions on several streams."""

    def __init__(self, parents: dict[Node, list[Node]], streams: dict[Node, StreamIds]) -> None:
        self._parents = parents
        self._streams = streams
        self._cards = runtime.ready().clock.cards
        self._caller = dict(current_streams.ids)
        self._begin = [(card.lane.ready, card.lane.snapshot()) for card in self._cards]
        self._done: dict[Node, Lane] = {}
        self._handles = [
            handle
            for node in parents
            for handle in (
                node.register_prehook(lambda grads, node=node: self._before(node)),
                node.register_hook(lambda to, grads, node=node: self._after(node)),
            )
        ]

    def _lane(self, node: Node) -> Lane:
        return self._cards[_card_of(node)].lane

    def _before(self, node: Node) -> None:
        current_streams.ids = dict(self._streams[node])
        lane = self._lane(node)
        if not self._parents[node]:
            lane.wait(*self._begin[lane.card.index])
        for parent in self._parents[node]:
            self._wait(lane, parent)

    def _after(self, node: Node) -> None:
        lane = self._done[node] = self._lane(node)
        # The engine adds this gradient at once to the others of the same function.
        for child, _ in node.next_functions:
            for other in () if child is None else self._parents.get(child, ()):
                self._wait(lane, other)

    def _wait(self, lane: Lane, node: Node) -> None:
        other = self._done.get(node)
        # Wait for all work of the lane: the engine may add gradients after the function.
        if other is not None and other is not lane:
            lane.wait(other.ready, other.snapshot())

    def finish(self) -> None:
        """Make the caller's streams wait for all functions, and restore the graph."""
        for handle in self._handles:
            handle.remove()
        current_streams.ids = self._caller
        for node in self._done:
            self._wait(self._lane(node), node)


def _plan(outputs: Iterable[Any]) -> _Schedule | None:
    """A schedule, if a function of the graph belongs to another stream than the current one."""
    if not current_streams.history or runtime.current() is None:
        return None
    parents = _with_parents(_first_nodes(outputs))
    streams = {node: _made_on(node, above) for node, above in parents.items()}
    here = {card: number for card, number in current_streams.ids.items() if number}
    if all(ids == here for ids in streams.values()):
        return None
    return _Schedule(parents, streams)


def _in_this_thread(run_backward: Callable[..., Any]) -> Callable[..., Any]:
    """A backward pass in the calling thread: C++ starts CUDA's threads only for real GPUs."""

    def run(outputs: Any, *args: Any, **kwargs: Any) -> Any:
        schedule = _plan(outputs)
        try:
            with torch.autograd.set_multithreading_enabled(False):
                return run_backward(outputs, *args, **kwargs)
        finally:
            if schedule is not None:
                schedule.finish()

    return run


def patch(patches: Patches) -> None:
    """Install this for ``backward()`` and ``torch.autograd.grad``."""
    run = _in_this_thread(torch.autograd.graph._engine_run_backward)
    patches.set(torch.autograd.graph, _engine_run_backward=run)
    patches.set(torch.autograd, _engine_run_backward=run)
