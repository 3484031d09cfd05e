"""Judge `feeding.prefetch`: the batches first, then the order of events."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief, placement
from course_utils.judging.feeding.material import (
    Described,
    gpu_not_current,
    keyed,
    many,
    moved,
    plain,
    tensor,
    tensors,
)

NOTHING_TO_ITERATE = FindingKind(
    name="nothing-to-iterate-over",
    title="the result is nothing that a `for` loop could go through",
    explanation="The training says `for batch in prefetch(loader, device)`. A function with "
    "`yield` gives out one batch after the other.",
    next_step="Hand out each batch with `yield`.",
)
END_NOT_HANDLED = FindingKind(
    name="end-not-handled",
    title="the end of the loader was not expected",
    explanation="`next` raises `StopIteration` when nothing is left, or when there was nothing "
    "from the start. Inside of a generator that becomes an error.",
    next_step="Use a `for` loop, or `next(iterator, None)`, which returns `None` at the end.",
)
LENGTH_ASKED = FindingKind(
    name="length-or-index-asked-for",
    title="a loader need not have a length or an index",
    explanation="All that is known of `loader` is that a `for` loop can go through it: data may "
    "come from a stream whose end nobody knows.",
    next_step="Get the batches with `for`, or with `iter` and `next`.",
)
RAISED_INSIDE = FindingKind(
    name="raised-while-iterating",
    title="your function raised an error while it gave out batches",
    explanation="A generator runs when the loop asks it for the next batch, so that its errors "
    "come only then.",
    next_step="Run the `for` loop of the example in a cell of your own to see the whole error.",
)
LAST_LOST = FindingKind(
    name="batch-lost",
    title="not every batch came out",
    explanation="Whoever is one ahead has a batch in hand when the loader ends, and that one has "
    "to be handed out as well.",
    next_step="After the loop, hand out the batch that is left, if there is one.",
)
NOT_A_BATCH = FindingKind(
    name="more-than-the-batches",
    title="something came out that is no batch of the loader",
    explanation="Each batch comes out once, in the loader's order, and nothing else does.",
    next_step="Print what your function yields for a loader of two batches, and for an empty one.",
)
LEFT_BEHIND = FindingKind(
    name="left-behind",
    title="a tensor is not on the device",
    explanation="`to` returns a new tensor, and a batch may be nested: tuples, lists and dicts, "
    "one inside the other.",
    next_step="Write a helper that calls itself for what is in a container, and keep what `to` "
    "returns.",
)
FORM_CHANGED = FindingKind(
    name="form-changed",
    title="a batch came out in another form",
    explanation="A tuple stays a tuple, a dict keeps its keys, and what is not a tensor stays as "
    "it is.",
    next_step="Build each container anew, of the same type, out of its moved items.",
)
LOADER_CHANGED = FindingKind(
    name="batch-overwritten",
    title="the loader's own batch was changed",
    explanation="Lists and dicts that are written to are still the loader's. It may hand out the "
    "same ones in the next epoch.",
    next_step="Build new containers instead of assigning to the old ones.",
)
PINNED_BY_HAND = FindingKind(
    name="pinned-by-hand",
    title="memory was pinned in the training's own process",
    explanation="Pinning is a copy that the host has to wait for. It is the loader's work, in a "
    "thread of its own, and only if `pin_memory=True` asks for it.",
    next_step="Leave `pin_memory()` out.",
)
HOST_WAITS = FindingKind(
    name="host-waits-for-the-copy",
    title="the host waits until a copy is done",
    explanation="`to` alone returns when the copy has arrived. Nothing can be prepared in the "
    "meantime.",
    next_step="Give `to` the argument `non_blocking=True`.",
)
SYNCHRONIZED = FindingKind(
    name="synchronized",
    title="the host waits for the GPU",
    explanation="The work on a batch is queued behind its copy, so that it cannot begin too "
    "early. A `synchronize` makes the host wait for everything.",
    next_step="Leave it out. If you use a stream of your own, let the *current stream* wait for "
    "it.",
)
ALL_AT_ONCE = FindingKind(
    name="too-far-ahead",
    title="more was fetched than one batch ahead",
    explanation="Each batch that is fetched early takes memory on the GPU. A whole epoch of them "
    "does not fit.",
    next_step="Hand out a batch as soon as the one after it has been fetched.",
)
NOT_AHEAD = FindingKind(
    name="not-ahead",
    title="the next batch was not on its way yet",
    explanation="When a batch is handed out, the training begins to use it. The next one should "
    "have been asked for, and its copy begun, by then.",
    next_step="Keep the previous batch in a variable, fetch the next one, and only then yield the "
    "previous one.",
)
COPIED_TOO_OFTEN = FindingKind(
    name="copied-too-often",
    title="tensors were copied more often than needed",
    explanation="Each tensor goes to `device` once, directly. One that is there already is not "
    "copied.",
    next_step="Use `to(device, non_blocking=True)` once for each tensor.",
)
NOBODY_WAITED = FindingKind(
    name="copy-not-waited-for",
    title="a batch may be used before its copy is there",
    explanation="The copy runs in a stream of its own, and the stream that uses the batch was not "
    "told to wait for it. On a real GPU the result is a matter of luck.",
    next_step="Before a batch is handed out, let `torch.cuda.current_stream(device)` wait for your "
    "stream with `wait_stream`.",
)


class Prefetch(Judge):
    """Compares what came out with what the loader held, then reads the log."""

    name = "feeding.prefetch"
    findings = (
        NOTHING_TO_ITERATE,
        END_NOT_HANDLED,
        LENGTH_ASKED,
        RAISED_INSIDE,
        LAST_LOST,
        NOT_A_BATCH,
        LEFT_BEHIND,
        FORM_CHANGED,
        LOADER_CHANGED,
        PINNED_BY_HAND,
        HOST_WAITS,
        SYNCHRONIZED,
        ALL_AT_ONCE,
        NOT_AHEAD,
        COPIED_TOO_OFTEN,
        NOBODY_WAITED,
    )
    hints = (
        "Two jobs: move one batch, however nested, and be one batch ahead. Write a helper for the "
        "first; it calls itself for whatever is in a tuple, a list or a dict.",
        "For the second: go through the loader with `for`. Keep the batch of the round before in a "
        "variable. In each round, move the new batch, *then* `yield` the old one.",
        "In the first round there is no old batch, and after the last round one is left over. A "
        "list of the batches in hand (none or one of them) does for both: an empty loader leaves "
        "it empty.",
        "A similar case: read lines aloud, and always have read the next one silently before.\n"
        "```python\n"
        "def aloud(lines):\n"
        "    in_mind = []\n"
        "    for line in lines:\n"
        "        in_mind.append(line.strip())       # fetch the next one\n"
        "        if len(in_mind) > 1:\n"
        "            yield in_mind.pop(0)           # then hand out the one before\n"
        "    yield from in_mind                     # what is left, if anything\n\n"
        "list(aloud([\" a\", \"b \"]))   # ['a', 'b']\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = gpu_not_current(rng), gpu_not_current(rng)
        some = rng.randint(3, 5)

        def pair() -> Described:
            return many("list", tensor(rng), tensor(rng))

        def table() -> Described:
            return keyed(x=tensor(rng), name=plain("cat"), more=keyed(y=tensor(rng)))

        def deep() -> Described:
            inner = many("tuple", tensor(rng), plain(rng.randint(1, 9)), plain(None))
            return many("tuple", many("list", tensor(rng), inner), keyed(z=many("list", inner)))

        drawn = [
            ("pairs from a loader that pins", "", gpu, [pair() for _ in range(some)], True),
            ("pairs from a loader that does not pin", "", gpu, [pair() for _ in range(3)], False),
            ("dicts", "", other, [table() for _ in range(3)], True),
            ("to the CPU", "", "cpu", [pair() for _ in range(3)], False),
            ("tensors", "batches that are single tensors", other,
             [tensor(rng) for _ in range(some)], True),
            ("nested", "containers inside containers", gpu, [deep() for _ in range(3)], True),
            ("nothing", "an empty loader", gpu, [], True),
            ("one", "a loader of one batch", other, [pair()], True),
            ("on the device already", "tensors that are there already", gpu,
             [many("tuple", tensor(rng, gpu), tensor(rng)) for _ in range(3)], True),
            ("dicts to the CPU", "no GPU at all", "cpu", [table() for _ in range(some)], False),
            ("many", "a longer epoch", gpu, [pair() for _ in range(2 * some)], True),
            ("the current GPU", "the current GPU", "cuda:0", [table() for _ in range(3)], True),
        ]
        return [
            Case(
                title,
                separates or title,
                {"device": device, "batches": batches, "pinned": pinned},
                bool(separates),
            )
            for title, separates, device, batches, pinned in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, got = case.data, facts["got"]
        wanted = [moved(batch, data["device"]) for batch in data["batches"]]
        if "returned" in facts:
            return NOTHING_TO_ITERATE.found(brief(facts["returned"]), "batches, one by one")
        if "raised" in facts:
            return _name_raise(facts["raised"]).found(facts["raised"], f"{len(wanted)} batches")
        if facts["after"] != data["batches"]:
            place = next(i for i, b in enumerate(facts["after"]) if b != data["batches"][i])
            return LOADER_CHANGED.found(
                brief(facts["after"][place]), brief(data["batches"][place])
            )
        return _judge_batches(got, wanted, data["device"]) or _judge_log(data, facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        text = f"{raised.type}: {raised.text}"
        kind = _name_raise(text)
        return None if kind is RAISED_INSIDE else kind.found(text, "batches, one by one")


def _name_raise(text: str) -> FindingKind:
    if "StopIteration" in text:
        return END_NOT_HANDLED
    if "_Loader' has no len" in text or "_Loader' object is not" in text:
        return LENGTH_ASKED
    return RAISED_INSIDE


def _judge_batches(
    got: Sequence[Mapping[str, Any]], wanted: Sequence[Mapping[str, Any]], device: str
) -> Finding | None:
    for seen, right in zip(got, wanted, strict=False):
        if seen == right:
            continue
        if moved(seen, device) == right:
            return LEFT_BEHIND.found(placement(seen), placement(right))
        if _values(seen) == _values(right):
            return FORM_CHANGED.found(brief(seen), brief(right))
        return NOT_A_BATCH.found(brief(seen), brief(right))
    if len(got) < len(wanted):
        return LAST_LOST.found(f"{len(got)} batches", f"{len(wanted)} batches")
    if len(got) > len(wanted):
        return NOT_A_BATCH.found(f"at least {len(got)} batches", f"{len(wanted)} batches")
    return None


def _values(described: Mapping[str, Any]) -> list[Any]:
    return [found.get("values") for found in tensors(described)]


def _judge_log(data: Mapping[str, Any], facts: Facts) -> Finding | None:
    log = facts["log"]
    kinds = [event[0] for event in log]
    if "pinned" in kinds:
        return PINNED_BY_HAND.found("pinned by your function", "left as the loader gave it")
    copies = [event for event in log if event[0] == "copy"]
    needed = [_copies(batch, data["device"]) for batch in data["batches"]]
    if len(copies) > sum(needed):
        return COPIED_TOO_OFTEN.found(f"{len(copies)} copies", f"{sum(needed)} copies")
    if not all(event[3] for event in copies):
        return HOST_WAITS.found("`non_blocking=False`", "`non_blocking=True`")
    if "waited" in kinds:
        return SYNCHRONIZED.found("the host called `synchronize`", "a host that never waits")
    finding = _judge_order(log, needed)
    if finding is None and facts["hazards"]:
        return NOBODY_WAITED.found(facts["hazards"][0], "a stream that waits for the copy")
    return finding


def _copies(batch: Mapping[str, Any], device: str) -> int:
    return sum(found["device"] != device for found in tensors(batch))


def _judge_order(log: Sequence[Sequence[Any]], needed: Sequence[int]) -> Finding | None:
    """When batch n is handed out, batch n + 1 was asked for and its copies are on their way."""
    asked = copied = 0
    for event in log:
        asked += event[0] == "asked"
        copied += event[0] == "copy"
        if event[0] == "got":
            fetched = min(event[1] + 2, len(needed))
            seen = f"{asked} batches asked for when number {event[1] + 1} is handed out"
            if asked > fetched:
                return ALL_AT_ONCE.found(seen, f"{fetched} batches")
            if asked < fetched:
                return NOT_AHEAD.found(seen, f"{fetched} batches")
            if copied < sum(needed[:fetched]):
                late = f"{copied} copies begun when number {event[1] + 1} is handed out"
                return NOT_AHEAD.found(late, f"{sum(needed[:fetched])} copies")
    return None
