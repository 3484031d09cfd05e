"""Replacing attributes of torch, and restoring them."""

from __future__ import annotations

from typing import Any

_MISSING = object()


class Patches:
    """An undo list of attribute changes."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any]] = []

    def set(self, owner: Any, **values: Any) -> None:
        """Set attributes of a module or class, and store the old values."""
        for name, value in values.items():
            self._undo.append((owner, name, vars(owner).get(name, _MISSING)))
            setattr(owner, name, value)

    def restore(self) -> None:
        """Restore all old values, last change first."""
        while self._undo:
            owner, name, old = self._undo.pop()
            if old is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, old)
