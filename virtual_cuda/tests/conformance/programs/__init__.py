"""The programs, grouped by what they are about; importing this package registers them all."""

from __future__ import annotations

import importlib
import pkgutil

from ..registry import PROGRAMS

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["PROGRAMS"]
