"""Judge `parallel.split_sizes`. The oracle is `torch.chunk` itself, on a tensor of that shape."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result is not a list of whole numbers",
    explanation="The function returns how long each part is along `dim`: a list of `int`, one for "
    "each GPU that gets a part.",
    next_step="Return the lengths themselves, not shapes, texts or numbers with a decimal point.",
)
SHAPES = FindingKind(
    name="shapes-not-sizes",
    title="these are shapes, and lengths were asked for",
    explanation="Of each part only the length along `dim` is wanted. The other dimensions are as "
    "they were.",
    next_step="Take the entry number `dim` of each shape.",
)
REST_LAST = FindingKind(
    name="rest-on-the-last",
    title="the last GPU does not get what is left over",
    explanation="The length is divided and rounded *up*. All parts but the last have this length, "
    "and the last one has what remains: it is the shorter one, never the longer.",
    next_step="Round up, and hand out parts of that length for as long as there is something.",
)
SPREAD = FindingKind(
    name="spread-evenly",
    title="what is left over is not spread evenly",
    explanation="`numpy.array_split` makes parts that differ by one at most. `torch.chunk` makes "
    "parts of one length, and a last one with what remains.",
    next_step="Round up the first length, and keep it for as long as there is something.",
)
ALL_GPUS = FindingKind(
    name="every-gpu-used",
    title="not every GPU gets a part",
    explanation="The parts may be used up before the GPUs are. The remaining GPUs get nothing, not "
    "even an empty part, and no replica runs there.",
    next_step="Stop when nothing is left, instead of filling up with zeros.",
)
ALL_EQUAL = FindingKind(
    name="all-equal",
    title="the parts do not add up to the whole",
    explanation="“Evenly” is true only where the length can be divided by the number of GPUs. Else "
    "parts of one length are too much or too little in all.",
    next_step="Compare the sum of your parts with the length that was given.",
)
DIM = FindingKind(
    name="other-dimension",
    title="the split goes along another dimension",
    explanation="`dim` says which one is cut. The others stay whole on each GPU.",
    next_step="Look up the length in `shape[dim]`.",
)
OTHER_SPLIT = FindingKind(
    name="other-split",
    title="the parts are other ones",
    explanation="Divide the length by the number of GPUs and round up: that is the length of each "
    "part, until the last gets what remains.",
    next_step="Try `torch.ones(shape).chunk(gpus, dim)`, and look at what comes out.",
)


class SplitSizes(Judge):
    """Finds the rule under which a wrong split would be right."""

    name = "parallel.split_sizes"
    findings = (
        WRONG_FORM,
        SHAPES,
        REST_LAST,
        SPREAD,
        ALL_GPUS,
        ALL_EQUAL,
        DIM,
        OTHER_SPLIT,
    )
    hints = (
        "Which dimension is cut? Its length is all that counts.",
        "The parts have one length, and only the last may be shorter. So this length is the "
        "quotient, rounded up: 10 for 4 GPUs gives 3.",
        "Hand out parts of that length for as long as something is left. With 5 for 4 GPUs nothing "
        "is left after three parts.",
        "A similar case: pages of at most `size` lines, as many as are needed.\n"
        "```python\n"
        "def pages(lines, size):\n"
        "    return [min(size, lines - first) for first in range(0, lines, size)]\n\n"
        "pages(10, 4)      # [4, 4, 2]\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few, width = rng.randint(2, 4), rng.randint(2, 9)
        drawn: list[tuple[str, str, list[int], int, int]] = [
            ("16 samples for 2 GPUs", "", [16, 3], 2, 0),
            ("16 samples for 4 GPUs", "", [16, 3], 4, 0),
            ("10 samples for 4 GPUs", "", [10, 3], 4, 0),
            ("5 samples for 4 GPUs", "", [5, 3], 4, 0),
            ("a sequence first, and dim=1", "", [7, 6, 4], 3, 1),
            ("a batch that fills fewer GPUs", "parts that are used up early",
             [rng.choice((9, 6)), width], 4, 0),
            ("fewer samples than GPUs", "fewer samples than GPUs",
             [few, width], few + rng.randint(1, 3), 0),
            ("one sample", "a single sample", [1, width], rng.randint(2, 8), 0),
            ("16 for 3", "a remainder that makes the last part much shorter", [16, width], 3, 0),
            ("the second dimension", "another dimension than the first",
             [rng.randint(20, 30), rng.randint(10, 11), 2], 4, 1),
            ("the last dimension", "the last dimension", [4, 3, rng.randint(11, 13)], 5, 2),
            ("one GPU", "a single GPU", [rng.randint(2, 20), width], 1, 0),
            ("many GPUs", "many GPUs and many samples", [8 * rng.randint(5, 9) + 1], 8, 0),
            ("a large batch", "any batch", [rng.randint(100, 500), width], rng.randint(3, 7), 0),
        ]
        return [
            Case(
                title,
                separates or title,
                {"shape": shape, "gpus": gpus, "dim": dim},
                bool(separates),
            )
            for title, separates, shape, gpus, dim in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, data = facts["sizes"], case.data
        right = chunked(data)
        expected = f"{right} for {_show(data)}"
        items = seen.get("items")
        if seen["type"] not in ("list", "tuple") or items is None:
            return WRONG_FORM.found(brief(seen), expected)
        if items and all(_is_shape(item) for item in items):
            return SHAPES.found(brief(seen), expected)
        if any(item["type"] != "int" for item in items):
            return WRONG_FORM.found(brief(seen), expected)
        sizes = [item["value"] for item in items]
        if sizes == right:
            return None
        return _name(sizes, right, data).found(f"{sizes} for {_show(data)}", str(right))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "AttributeError" and "'tuple' object" in raised.text:
            right = chunked(case.data)
            return WRONG_FORM.found(f"{raised.type}: {raised.text}", str(right))
        return None


def chunked(data: Mapping[str, Any]) -> list[int]:
    """The lengths along `dim` of the parts into which torch cuts a tensor of that shape."""
    batch, dim = torch.empty(data["shape"], device="meta"), data["dim"]
    return [part.shape[dim] for part in batch.chunk(data["gpus"], dim)]


def _is_shape(described: Mapping[str, Any]) -> bool:
    return described["type"] in ("tuple", "list", "other") and (
        "items" in described or described.get("class") == "Size"
    )


def _name(sizes: Sequence[int], right: Sequence[int], data: Mapping[str, Any]) -> FindingKind:
    length, gpus = data["shape"][data["dim"]], data["gpus"]
    down, rest = divmod(length, gpus)
    if [size for size in sizes if size] == right:
        return ALL_GPUS
    if sizes == [down] * (gpus - 1) + [down + rest]:
        return REST_LAST
    spread = [down + (place < rest) for place in range(gpus)]
    if sizes in (spread, [size for size in spread if size]):
        return SPREAD
    if sizes in [chunked({**data, "dim": dim}) for dim in range(len(data["shape"]))]:
        return DIM
    return ALL_EQUAL if len(set(sizes)) == 1 and sum(sizes) != length else OTHER_SPLIT


def _show(data: Mapping[str, Any]) -> str:
    return f"shape {tuple(data['shape'])}, {data['gpus']} GPUs, dim={data['dim']}"
