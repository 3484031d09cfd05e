"""The programs, grouped by what they are about; importing this registers them, and the probes."""

from __future__ import annotations

import importlib
import pkgutil

from .. import probes
from ..registry import PROGRAMS

for _package in (__name__, __path__), (probes.__name__, probes.__path__):
    for _module in pkgutil.iter_modules(_package[1]):
        importlib.import_module(f"{_package[0]}.{_module.name}")

__all__ = ["PROGRAMS"]
