"""Datasets that loader workers can import under any start method."""

import gc
import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor
from torch.utils.data import Dataset

# An iterator of an earlier cell is copied into a forked worker. Collected there, it would raise
# "can only test a child process". So a worker does not collect it.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=gc.freeze)


def make_pictures(folder: str | Path, count: int = 64, side: int = 384) -> list[str]:
    """The paths of `count` new square JPEG files in `folder`, `side` pixels wide.

    They are smooth patterns with some noise, so that decoding takes about as long as for a photo.
    """
    rng = np.random.default_rng(0)
    ramp = np.linspace(0, 6, side, dtype=np.float32)
    noise = rng.normal(0, 8, (side, side, 3)).astype(np.float32)
    paths = []
    for number in range(count):
        waves = [np.sin(rng.uniform(1, 4) * ramp + rng.uniform(0, 6)) for _ in range(6)]
        channels = [np.outer(waves[2 * c], waves[2 * c + 1]) for c in range(3)]
        pixels = 127 + 90 * np.stack(channels, axis=-1) + noise
        path = Path(folder) / f"{number:04}.jpg"
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(path, quality=90)
        paths.append(str(path))
    return paths


class Pictures(Dataset[Tensor]):
    """JPEG files, decoded when read, as uint8 tensors of shape (3, side, side).

    Only the paths are stored, so it can be sent to workers of any start method.
    """

    def __init__(self, paths: Sequence[str], side: int = 64) -> None:
        self.paths = list(paths)
        self.side = side

    def __len__(self) -> int:
        return len(self.paths)

    def __getitem__(self, number: int) -> Tensor:
        with Image.open(self.paths[number]) as picture:
            small = picture.convert("RGB").resize((self.side, self.side))
        return torch.from_numpy(np.array(small)).permute(2, 0, 1).contiguous()


class Waiting(Dataset[int]):
    """Numbers, each after a wait of `seconds`, as for a file on a slow disk or network."""

    def __init__(self, length: int, seconds: float) -> None:
        self.length = length
        self.seconds = seconds

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, number: int) -> int:
        time.sleep(self.seconds)
        return number
