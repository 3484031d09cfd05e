"""Streams and events, the streams of backward, and warnings of synchronising operations."""

from . import backward, streams, sync_debug

PARTS = (backward, streams, sync_debug)
