"""The allocator's interface for programs: statistics, settings, pools and snapshots."""

from . import allocator_settings, caching_allocator, pools, snapshot

PARTS = (allocator_settings, caching_allocator, pools, snapshot)
