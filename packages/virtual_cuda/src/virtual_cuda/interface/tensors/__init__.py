"""Storages and types of tensors, and sending tensors to other processes."""

from . import sharing, storages, types

PARTS = (sharing, storages, types)
