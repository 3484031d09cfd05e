"""The allocator as programs see it: statistics, settings, pools and snapshots."""

from . import allocator_settings, caching_allocator, pools, snapshot

PARTS = (allocator_settings, caching_allocator, pools, snapshot)
