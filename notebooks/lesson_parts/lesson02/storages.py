"""`storage_map`: which names are one object, and which objects share memory."""

from dataclasses import dataclass, field

import torch

from course_utils.figures.picture import (
    ASIDE,
    INK,
    LINE,
    MONO,
    NOTE,
    SMALL,
    WIDTH,
    Picture,
    Point,
    ground,
)
from course_utils.words import counted, listed, shortened, size_of
from lesson_parts.bands import Held, by_device

ROW, GAP = 0.62, 0.07
NAME_X, OBJECT_X, MEMORY_X = 0.3, 2.35, 5.55
NAME_W, OBJECT_W, MEMORY_W = 1.3, 2.35, 2.4
STRIP_W = 0.34
MOST_CELLS = 12
"""A longer storage is drawn as one piece, without its elements."""


@dataclass(frozen=True)
class _Object(Held):
    """One Python tensor object, and the names that refer to it."""

    names: list[str] = field(default_factory=list)

    @property
    def view(self) -> str:
        """What kind of numbers it has, and where in the memory they begin."""
        start = self.tensor.storage_offset()
        return self.dtype + (f", from element {start}" if start else "")

    @property
    def place(self) -> int:
        """Where its memory is. An empty one has no address, and is shared with nobody."""
        return self.tensor.untyped_storage().data_ptr() or -id(self.tensor)


def storage_map(**tensors: torch.Tensor) -> Picture:
    """Draw names, the Python objects they refer to, and the memory that holds the numbers.

    Two names of one object meet in one box. Two objects over the same memory end in one box on
    the right. Memory is grouped by the device that holds it.
    """
    if not tensors:
        raise TypeError("storage_map needs at least one tensor: storage_map(x=x)")
    objects: dict[int, _Object] = {}
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"storage_map draws tensors, and {name} is a {type(tensor).__name__}")
        objects.setdefault(id(tensor), _Object(name, tensor)).names.append(name)
    bands = {device: _memories(held) for device, held in by_device(objects.values()).items()}
    memories = [memory for each in bands.values() for memory in each]
    page = Picture(1.2 + len(tensors) * ROW + len(bands) * 0.55, "Names, objects and memory")
    page.tell(
        f"Storage map: {counted(len(tensors), 'name')}, {counted(len(objects), 'tensor object')}, "
        f"{counted(len(memories), 'piece')} of memory."
    )
    for item in (item for memory in memories for item in memory if len(item.names) > 1):
        page.tell(f"{listed(item.names)} are {len(item.names)} names of one object.")
    page.write(NAME_X + NAME_W / 2, 0.72, "names", align="center", **ASIDE)
    page.write(OBJECT_X + OBJECT_W / 2, 0.72, "tensor objects", align="center", **ASIDE)
    page.write(MEMORY_X + MEMORY_W / 2, 0.72, "memory on a device", align="center", **ASIDE)
    y, number = 0.95, 0
    for device, here in bands.items():
        height = sum(map(_rows, here)) * ROW + 0.42
        page.box(MEMORY_X - 0.2, y, WIDTH - MEMORY_X + 0.05, height, **ground(device.type))
        page.write(MEMORY_X - 0.05, y + 0.2, str(device), weight="bold", family=MONO)
        y += 0.36
        for memory in here:
            _draw_memory(page, memory, _letters(number), y)
            y, number = y + _rows(memory) * ROW, number + 1
        y += 0.19
    return page


def _memories(objects: list[_Object]) -> list[list[_Object]]:
    """The objects of a device, those together that look into one piece of memory."""
    found: dict[int, list[_Object]] = {}
    for item in objects:
        found.setdefault(item.place, []).append(item)
    return list(found.values())


def _rows(memory: list[_Object]) -> int:
    return sum(len(item.names) for item in memory)


def _letters(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    first, last = divmod(number, 26)
    return (_letters(first - 1) if first else "") + chr(ord("A") + last)


def _draw_memory(page: Picture, memory: list[_Object], label: str, top: float) -> None:
    """Draw and tell one piece of memory with its objects and names."""
    tensor = memory[0].tensor
    nbytes = tensor.untyped_storage().nbytes()
    tall, middle = _rows(memory) * ROW - 2 * GAP, top + _rows(memory) * ROW / 2
    page.box(MEMORY_X, top + GAP, MEMORY_W, tall, edge=INK, round_=0, thickness=2)
    cells = nbytes // tensor.element_size()
    _draw_strip(page, cells, top + GAP, tall)
    left, lift = MEMORY_X + STRIP_W + 0.12, 0.105 if len(memory) > 1 else 0
    page.write(left, middle - lift, f"memory {label}")
    page.write(MEMORY_X + MEMORY_W - 0.1, middle - lift, size_of(nbytes), align="right", **NOTE)
    if len(memory) > 1:
        page.write(left, middle + 0.125, f"shared by {len(memory)} objects", **NOTE)
    y = top
    for item in memory:
        centre = y + len(item.names) * ROW / 2
        page.box(OBJECT_X, centre - ROW / 2 + GAP, OBJECT_W, ROW - 2 * GAP, edge=INK)
        page.write(OBJECT_X + 0.12, centre - 0.105, shortened(f"tensor {item.shape}", 28))
        page.write(OBJECT_X + 0.12, centre + 0.125, item.view, **NOTE)
        share = (item.tensor.storage_offset() + 0.5) / cells if cells else 0.5
        _lead(page, (OBJECT_X + OBJECT_W, centre), (MEMORY_X, top + GAP + tall * min(share, 1)))
        for name in item.names:
            corner, text = (NAME_X, y + ROW / 2 - 0.16), shortened(name, 13)
            page.box(
                *corner, NAME_W, 0.32, text, fill="#fff8dc", edge=INK, round_=0.16, family=MONO
            )
            _lead(page, (NAME_X + NAME_W, y + ROW / 2), (OBJECT_X, centre))
            y += ROW
    held = [f"{' = '.join(item.names)} (shape {item.shape}, {item.view})" for item in memory]
    verb = "is shared by" if len(held) > 1 else "belongs to"
    where = f"Memory {label} on {tensor.device}, {size_of(nbytes)}"
    page.tell(f"{where}, {verb} {listed(held)}.")


def _draw_strip(page: Picture, cells: int, top: float, tall: float) -> None:
    """Draw the elements of a memory below one another."""
    right = MEMORY_X + STRIP_W
    page.line((right, top), (right, top + tall), color=INK, linewidth=1)
    if 1 <= cells <= MOST_CELLS:
        height = tall / cells
        for number in range(cells):
            level = top + number * height
            if number:
                page.line((MEMORY_X, level), (right, level))
            if height > 0.2:
                middle = (MEMORY_X + right) / 2
                page.write(middle, level + height / 2, str(number), size=SMALL, align="center")


def _lead(page: Picture, begin: Point, end: Point) -> None:
    page.arrow(begin, end, color=LINE, mutation_scale=12)
