"""The allocator of a card, after CUDACachingAllocator: blocks, segments, arenas, statistics."""
