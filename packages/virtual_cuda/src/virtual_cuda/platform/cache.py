"""The user's cache folder, and the combination of torch, Python and computer for its files."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

import torch

HAS_CUDA_BUILD: bool = torch._C._has_cuda  # read now, because switching on makes it True

Combination = tuple[str, str, str, str]
"""The versions of torch and Python, the system and the machine."""


def combination() -> Combination:
    """The combination that decides whether the switches work."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return str(torch.__version__), python, sys.platform, platform.machine()


def cache_folder() -> Path:
    """The user's cache folder on this system."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
