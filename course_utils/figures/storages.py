"""`storage_map`: which names are one object, and which objects share memory."""

from dataclasses import dataclass, field

import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_utils.figures.picture import (
    INK,
    LINE,
    MONO,
    QUIET,
    SMALL,
    TEXT,
    WIDTH,
    Picture,
    Point,
    arrow,
    box,
    counted,
    listed,
    sheet,
    shortened,
    size_of,
    write,
)

ROW, GAP = 0.62, 0.07
NAME_X, OBJECT_X, MEMORY_X = 0.3, 2.35, 5.55
NAME_W, OBJECT_W, MEMORY_W = 1.3, 2.35, 2.4
STRIP_W = 0.34
MOST_CELLS = 12
"""A longer storage is drawn as one piece, without its elements."""


@dataclass
class _Object:
    """One Python tensor object, and the names that refer to it."""

    tensor: torch.Tensor
    names: list[str] = field(default_factory=list)

    @property
    def shape(self) -> str:
        return str(tuple(self.tensor.shape))

    @property
    def kind(self) -> str:
        return str(self.tensor.dtype).removeprefix("torch.")


@dataclass
class _Memory:
    """One piece of memory on one device, and the objects that look into it."""

    device: torch.device
    nbytes: int
    objects: list[_Object] = field(default_factory=list)
    label: str = ""


def storage_map(**tensors: torch.Tensor) -> Picture:
    """Draw names, the Python objects they refer to, and the memory that holds the numbers.

    Two names of one object meet in one box. Two objects over the same memory end in one box on
    the right. Memory is grouped by the device that holds it.
    """
    if not tensors:
        raise TypeError("storage_map needs at least one tensor: storage_map(x=x)")
    memories = _survey(tensors)
    return Picture(_draw(memories), _describe(memories))


def _survey(tensors: dict[str, torch.Tensor]) -> list[_Memory]:
    """The pieces of memory, those of the CPU first, each with its objects and their names."""
    objects: dict[int, _Object] = {}
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"storage_map draws tensors, and {name} is a {type(tensor).__name__}")
        objects.setdefault(id(tensor), _Object(tensor)).names.append(name)
    memories: dict[tuple[torch.device, int], _Memory] = {}
    for item in objects.values():
        storage = item.tensor.untyped_storage()
        device = item.tensor.device
        # An empty storage has no address, and shares its memory with nobody.
        place = storage.data_ptr() or -id(item.tensor)
        memory = memories.setdefault((device, place), _Memory(device, storage.nbytes()))
        memory.objects.append(item)
    ordered = sorted(memories.values(), key=lambda m: _device_order(m.device))
    for number, memory in enumerate(ordered):
        memory.label = _letters(number)
    return ordered


def _device_order(device: torch.device) -> tuple[bool, str, int]:
    return device.type != "cpu", device.type, device.index or 0


def _letters(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    first, last = divmod(number, 26)
    return (_letters(first - 1) if first else "") + chr(ord("A") + last)


def _draw(memories: list[_Memory]) -> Figure:
    rows = sum(len(item.names) for memory in memories for item in memory.objects)
    devices = list(dict.fromkeys(memory.device for memory in memories))
    height = 1.2 + rows * ROW + len(devices) * 0.55
    figure, axes = sheet(height, "Names, objects and memory")
    for x, text in (
        (NAME_X + NAME_W / 2, "names"),
        (OBJECT_X + OBJECT_W / 2, "tensor objects"),
        (MEMORY_X + MEMORY_W / 2, "memory on a device"),
    ):
        write(axes, x, 0.72, text, color=QUIET, align="center", style="italic")
    y = 0.95
    for device in devices:
        mine = [memory for memory in memories if memory.device == device]
        tall = sum(len(item.names) for memory in mine for item in memory.objects) * ROW
        fill, line = ("#eef1f4", "-") if device.type == "cpu" else ("#e4f1df", (0, (5, 2)))
        left = MEMORY_X - 0.2
        box(axes, left, y, WIDTH - left - 0.15, tall + 0.42, fill=fill, edge=INK, line=line)
        write(axes, left + 0.15, y + 0.2, str(device), weight="bold", family=MONO)
        y += 0.36
        for memory in mine:
            y = _draw_memory(axes, memory, y)
        y += 0.19
    return figure


def _draw_memory(axes: Axes, memory: _Memory, top: float) -> float:
    """Draw one piece of memory with its objects and names; return where the next one begins."""
    rows = sum(len(item.names) for item in memory.objects)
    middle = top + rows * ROW / 2
    tall = rows * ROW - 2 * GAP
    box(axes, MEMORY_X, top + GAP, MEMORY_W, tall, edge=INK, round_=0, thickness=2)
    cells = _draw_strip(axes, memory, top + GAP, tall)
    shared = f"shared by {len(memory.objects)} objects" if len(memory.objects) > 1 else ""
    left = MEMORY_X + STRIP_W + 0.12
    lift = 0.105 if shared else 0
    write(axes, left, middle - lift, f"memory {memory.label}")
    write(
        axes,
        MEMORY_X + MEMORY_W - 0.1,
        middle - lift,
        size_of(memory.nbytes),
        size=SMALL,
        color=QUIET,
        align="right",
    )
    if shared:
        write(axes, left, middle + 0.125, shared, size=SMALL, color=QUIET)
    y = top
    for item in memory.objects:
        centre = y + len(item.names) * ROW / 2
        start = item.tensor.storage_offset()
        second = item.kind + (f", from element {start}" if start else "")
        _labelled(axes, OBJECT_X, centre, OBJECT_W, f"tensor {item.shape}", second)
        first = top + GAP + tall * min((start + 0.5) / cells if cells else 0.5, 1)
        _lead(axes, (OBJECT_X + OBJECT_W, centre), (MEMORY_X, first))
        for name in item.names:
            level = y + ROW / 2
            box(axes, NAME_X, level - 0.16, NAME_W, 0.32, fill="#fff8dc", edge=INK, round_=0.16)
            write(
                axes, NAME_X + NAME_W / 2, level, shortened(name, 13), align="center", family=MONO
            )
            _lead(axes, (NAME_X + NAME_W, level), (OBJECT_X, centre))
            y += ROW
    return y


def _draw_strip(axes: Axes, memory: _Memory, top: float, tall: float) -> int:
    """Draw the elements of a memory below one another; return how many there are."""
    cells = memory.nbytes // memory.objects[0].tensor.element_size()
    right = MEMORY_X + STRIP_W
    axes.plot([right, right], [top, top + tall], color=INK, linewidth=1)
    if 1 <= cells <= MOST_CELLS:
        height = tall / cells
        for number in range(cells):
            level = top + number * height
            if number:
                axes.plot([MEMORY_X, right], [level, level], color=LINE, linewidth=0.8)
            if height > 0.2:
                middle = (MEMORY_X + right) / 2
                write(axes, middle, level + height / 2, str(number), size=SMALL, align="center")
    return cells


def _labelled(
    axes: Axes, left: float, middle: float, width: float, first: str, second: str
) -> None:
    """A box with one line of text, or two."""
    half = ROW / 2 - GAP
    box(axes, left, middle - half, width, 2 * half, edge=INK, round_=0.08)
    lift = 0.105 if second else 0
    write(axes, left + 0.12, middle - lift, shortened(first, 28), size=TEXT)
    if second:
        write(axes, left + 0.12, middle + 0.125, second, size=SMALL, color=QUIET)


def _lead(axes: Axes, begin: Point, end: Point) -> None:
    arrow(axes, begin, end, color=LINE, shrinkA=2, shrinkB=1, mutation_scale=12)


def _describe(memories: list[_Memory]) -> str:
    """The picture in words, out of the same survey."""
    objects = [item for memory in memories for item in memory.objects]
    names = [name for item in objects for name in item.names]
    parts = [
        f"Storage map: {counted(len(names), 'name')}, {counted(len(objects), 'tensor object')}, "
        f"{counted(len(memories), 'piece')} of memory."
    ]
    for item in objects:
        if len(item.names) > 1:
            parts.append(f"{listed(item.names)} are {len(item.names)} names of one object.")
    for memory in memories:
        held = [_described(item) for item in memory.objects]
        verb = "is shared by" if len(held) > 1 else "belongs to"
        parts.append(
            f"Memory {memory.label} on {memory.device}, {size_of(memory.nbytes)}, "
            f"{verb} {listed(held)}."
        )
    return " ".join(parts)


def _described(item: _Object) -> str:
    start = item.tensor.storage_offset()
    where = f", from element {start}" if start else ""
    return f"{' = '.join(item.names)} (shape {item.shape}, {item.kind}{where})"
