"""Judge `split_sizes`: the oracle is `torch.chunk` itself, on a tensor of that shape."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy
import torch

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

_CONTAINERS = ("list", "tuple", "namedtuple")


def chunked(shape: Sequence[int], gpus: int, dim: int) -> list[int]:
    return [part.shape[dim] for part in torch.empty(shape).chunk(gpus, dim)]


def _shapes(shape: Sequence[int], gpus: int, dim: int) -> list[list[int]]:
    return [list(part.shape) for part in torch.empty(shape).chunk(gpus, dim)]


def _along(other: Callable[[int], int]) -> Callable[..., list[int]]:
    return lambda shape, gpus, dim: chunked(shape, gpus, other(dim))


def _rest_on_the_last(length: int, gpus: int) -> list[int]:
    part = length // gpus
    return [part] * (gpus - 1) + [length - part * (gpus - 1)]


def _spread(length: int, gpus: int) -> list[int]:
    return [len(part) for part in numpy.array_split(range(length), gpus)]


def _filled_up(length: int, gpus: int) -> list[int]:
    sizes = chunked([length], gpus, 0)
    return sizes + [0] * (gpus - len(sizes))


def _too_many(length: int, gpus: int) -> list[int]:
    part = max(1, length // gpus)
    return [min(part, length - start) for start in range(0, length, part)]


def _of_length(finding: str, model: Callable[[int, int], list[Any]]) -> Rival:
    return Rival(finding, lambda shape, gpus, dim: model(shape[dim], gpus))


class SplitSizes(OracleJudge):
    form, types, otherwise = "a list or tuple of whole numbers", ("list", "tuple"), "other-split"
    rivals = (
        Rival("shapes-not-sizes", _shapes),
        _of_length("samples-divided", lambda n, g: [n / g] * g if n % g else [n]),
        _of_length("every-gpu-used", _filled_up),
        _of_length("spread-evenly", _spread),
        _of_length("spread-evenly", lambda n, g: [size for size in _spread(n, g) if size]),
        _of_length("rest-on-the-last", _rest_on_the_last),
        _of_length("all-equal", lambda n, g: [-(-n // g)] * g),
        _of_length("all-equal", lambda n, g: [n // g] * g),
        _of_length("all-equal", lambda n, g: [-(-n // g)] * len(chunked([n], g, 0))),
        _of_length("all-equal", lambda n, g: [-(-n // g)] * (n // -(-n // g))),
        _of_length("empty-part", lambda n, g: [*chunked([n], g, 0), 0]),
        _of_length("more-parts-than-gpus", _too_many),
        Rival("other-dimension", _along(lambda dim: 0)),
        Rival("other-dimension", _along(lambda dim: 1)),
        Rival("other-dimension", _along(lambda dim: -1)),
    )

    def oracle(self, **data: Any) -> list[int]:
        return chunked(**data)

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        kinds = {item["type"] for item in seen["items"]}
        if kinds <= {"int", "float"}:
            return super().explain(seen, data)
        shapes = all(
            item["type"] in _CONTAINERS or item.get("class") == "Size" for item in seen["items"]
        )
        return "shapes-not-sizes" if shapes else "other-form"

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        arguments = f"{tuple(data['shape'])}, {data['gpus']}, {data['dim']}"
        return f"{clip(brief(described), 120)} for split_sizes({arguments})"

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(
            title: str,
            sizes: Callable[[], tuple[int, int]],
            *findings: str,
            dims: int = 2,
            dim: int = 0,
        ) -> Case:
            def draw() -> dict[str, Any]:
                length, gpus = sizes()
                # Other dimensions are none that would be cut in the same way.
                others = rng.sample([n for n in range(2, 12) if n != length], dims - 1)
                return {"shape": [*others[:dim], length, *others[dim:]], "gpus": gpus, "dim": dim}

            return Case(title, self.telling(draw, *findings))

        def uneven() -> tuple[int, int]:
            gpus = rng.randint(3, 5)
            return gpus * rng.randint(3, 6) - rng.choice((1, 2)), gpus

        def some_idle() -> tuple[int, int]:
            gpus = rng.choice((4, 6))
            return 2 * gpus + 1, gpus  # parts of 3 are used up before the last GPU

        wrong = (
            "rest-on-the-last",
            "spread-evenly",
            "all-equal",
            "samples-divided",
            "more-parts-than-gpus",
            "shapes-not-sizes",
        )
        few = rng.randint(2, 4)
        return [
            drawn("a shorter last part", lambda: (4 * rng.randint(3, 5) - 2, 4), *wrong),
            drawn(
                "a length that is a multiple of the number of GPUs",
                lambda: (few * rng.randint(2, 6), few),
                "shapes-not-sizes",
            ),
            drawn("a part for fewer GPUs than there are", some_idle, "every-gpu-used"),
            drawn("the second of two dimensions is cut", uneven, "other-dimension", dim=1),
            drawn(
                "the second of three dimensions is cut", uneven, "other-dimension", dims=3, dim=1
            ),
            drawn("the last of three dimensions is cut", uneven, "other-dimension", dims=3, dim=2),
            drawn("a single dimension", uneven, "spread-evenly", dims=1),
            drawn(
                "fewer samples than GPUs",
                lambda: (rng.randint(2, 3), rng.randint(4, 6)),
                "every-gpu-used",
            ),
            drawn("a single sample", lambda: (1, rng.randint(2, 8)), "every-gpu-used"),
            drawn("a single GPU", lambda: (rng.randint(2, 20), 1), "shapes-not-sizes"),
            drawn("many GPUs", lambda: (rng.choice((17, 20, 34)), 16), "every-gpu-used"),
            Case("the task's example: 16 samples", {"shape": [16, 3], "gpus": 2, "dim": 0}),
            Case("the task's example: 10 samples", {"shape": [10, 3], "gpus": 4, "dim": 0}),
            Case("the task's example: 9 samples", {"shape": [9, 3], "gpus": 4, "dim": 0}),
        ]


judge = SplitSizes()
