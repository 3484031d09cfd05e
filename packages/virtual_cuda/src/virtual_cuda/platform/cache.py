"""The user's cache folder, and what a file in it is good for: this torch, Python and computer."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

import torch

HAS_CUDA_BUILD: bool = torch._C._has_cuda  # read now: switching on makes torch say yes

Combination = tuple[str, str, str, str]
"""The versions of torch and Python, the system and the machine."""


def combination() -> Combination:
    """What decides whether the switches fit."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return str(torch.__version__), python, sys.platform, platform.machine()


def cache_folder() -> Path:
    """Where this system keeps files that can be made again."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
