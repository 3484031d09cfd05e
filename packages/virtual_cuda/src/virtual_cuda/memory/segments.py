"""The segments in which a card's memory is reserved, and the large blocks in them.

Rules and constants of ``CUDACachingAllocator.cpp`` and ``c10/core/AllocatorConfig.h``: requests up
to 1 MiB come from 2 MiB segments, requests below 10 MiB from 20 MiB segments, larger ones get their
own segment. A large block uses the smallest free piece that is large enough; the rest of the piece
is split off if it is more than 1 MiB. Free neighbours are merged, and a segment can be freed when
all of it is free. All amounts are bytes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

# A segment as a row of pieces: the bytes of each, and the number of its block, if any.
Row = list[tuple[int, int | None]]

MIB = 1 << 20
_BLOCK = 512  # block sizes are multiples of this: kMinBlockSize
SMALL_REQUEST = 1 * MIB
SMALL_SEGMENT = 2 * MIB
_LARGE_REQUEST, _MEDIUM_SEGMENT, _LARGE_ROUNDING = 10 * MIB, 20 * MIB, 2 * MIB


def block_size(request: int) -> int:
    """The size of the block for a request, before it has a place in a segment."""
    return -(-request // _BLOCK) * _BLOCK  # as _round_up but faster, for every allocation


def small_segments(nbytes: int) -> int:
    """The size of the segments that small blocks need together."""
    return _round_up(nbytes, SMALL_SEGMENT)


def segment_size(block: int) -> int:
    """The size of a new segment that the allocator requests from the driver for ``block``."""
    if block <= SMALL_REQUEST:
        return SMALL_SEGMENT
    if block < _LARGE_REQUEST:
        return _MEDIUM_SEGMENT
    return _round_up(block, _LARGE_ROUNDING)


def _round_up(count: int, unit: int) -> int:
    return -(-count // unit) * unit


class _Piece:
    """A part of a segment, in use or free."""

    __slots__ = ("segment", "size")

    def __init__(self, segment: list[_Piece], size: int) -> None:
        self.segment = segment
        self.size = size


class LargePool:
    """The segments of blocks above 1 MiB. Blocks have numbers; a segment is a list of pieces."""

    def __init__(self) -> None:
        self._segments: dict[int, list[_Piece]] = {}  # by their ids, which keeps their order
        self._free: dict[_Piece, None] = {}
        self._used: dict[int, _Piece] = {}

    def __len__(self) -> int:
        return len(self._segments)

    @property
    def held(self) -> int:
        """Bytes of all segments."""
        return sum(piece.size for segment in self._segments.values() for piece in segment)

    @property
    def releasable(self) -> int:
        """Bytes of the unused segments."""
        return sum(piece.size for piece in self._free if len(piece.segment) == 1)

    @property
    def splits(self) -> int:
        """The number of free pieces in segments with used pieces."""
        return sum(len(piece.segment) > 1 for piece in self._free)

    def rows(self) -> list[Row]:
        """All segments, oldest first."""
        numbers = {piece: number for number, piece in self._used.items()}
        return [
            [(piece.size, numbers.get(piece)) for piece in segment]
            for segment in self._segments.values()
        ]

    def take(self, number: int, block: int) -> int:
        """Put a block into a free piece. Returns the size of the piece; 0 if there is none."""
        fitting = (piece for piece in self._free if piece.size >= block)
        piece = min(fitting, key=lambda piece: piece.size, default=None)
        if piece is None:
            return 0
        del self._free[piece]
        rest = piece.size - block
        if rest > SMALL_REQUEST:
            piece.size = block
            place = piece.segment.index(piece) + 1
            piece.segment.insert(place, _Piece(piece.segment, rest))
            self._free[piece.segment[place]] = None
        self._used[number] = piece
        return piece.size

    def grow(self, size: int) -> None:
        """Add a segment."""
        segment: list[_Piece] = []
        segment.append(_Piece(segment, size))
        self._segments[id(segment)] = segment
        self._free[segment[0]] = None

    def give(self, number: int) -> None:
        """Remove a block."""
        piece = self._used.pop(number)
        segment, place = piece.segment, piece.segment.index(piece)
        for neighbour in segment[place + 1 : place + 2] + segment[max(place - 1, 0) : place]:
            if neighbour in self._free:
                del self._free[neighbour]
                segment.remove(neighbour)
                piece.size += neighbour.size
        self._free[piece] = None

    def keep(self, numbers: Container[int]) -> None:
        """Remove all blocks except these."""
        for number in [number for number in self._used if number not in numbers]:
            self.give(number)

    def release(self) -> None:
        """Delete the unused segments."""
        for piece in [piece for piece in self._free if len(piece.segment) == 1]:
            del self._free[piece]
            del self._segments[id(piece.segment)]
            piece.segment.clear()  # breaks the reference cycle


def rows_of_small(blocks: list[tuple[int, int]], held: int) -> list[Row]:
    """The rows of small blocks (bytes, number), oldest first, in 2 MiB segments, ``held`` in total.

    A block that does not fit starts a new segment. If ``held`` is too small for the gap before it,
    the segment continues instead, as if two segments were one.
    """
    spare = held - sum(size for size, _ in blocks)
    rows: list[Row] = []
    room = 0  # free bytes in the last segment
    for size, number in blocks:
        if rows and spare < room < size:
            room += SMALL_SEGMENT
        elif room < size:
            if room:
                rows[-1].append((room, None))
                spare -= room
            rows.append([])
            room = SMALL_SEGMENT
        rows[-1].append((size, number))
        room -= size
    while spare > 0:
        if not room:
            rows.append([])
            room = SMALL_SEGMENT
        rest = min(room, spare)
        rows[-1].append((rest, None))
        spare -= rest
        room = 0
    return rows


def free_beside_used(rows: Iterable[Row]) -> tuple[int, int]:
    """Number and bytes of the free pieces in used segments ("inactive split")."""
    sizes = [
        size for row in rows if any(n is not None for _, n in row) for size, n in row if n is None
    ]
    return len(sizes), sum(sizes)
