"""Tensors beyond operators: their storages and types, and their way to other processes."""

from . import sharing, storages, types

PARTS = (sharing, storages, types)
