"""Draw the project's pictures: small JPEG files of six shapes, no two of them the same.

Every picture has its own random generator, so that it is the same each time it is drawn. So an
incomplete folder is completed by drawing the missing pictures.
"""

import io
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw
from tqdm import tqdm

from course_notebooks.safe_files import create_file, explained, replace_file
from course_utils.errors import CourseError

SIZE = 48
"""The width and the height of a picture, in pixels."""

_RECORD = "shapes.json"
_FINER = 4  # drawn this many times larger, then scaled down, for smooth edges
_MOST = 9999  # pictures per shape: names have four digits

Point = tuple[float, float]


@dataclass(frozen=True)
class Plan:
    """The number of pictures of each shape, and the seed of all of them."""

    train: int = 200
    test: int = 50
    seed: int = 0

    def __post_init__(self) -> None:
        for split in ("train", "test"):
            number = getattr(self, split)
            if not 1 <= number <= _MOST:
                raise CourseError(
                    f"{number} {split} pictures of each shape are not possible. Choose a number "
                    f"from 1 to {_MOST}."
                )
        if self.seed < 0:
            raise CourseError(f"The seed {self.seed} is negative. Choose 0 or a larger number.")

    def pictures(self) -> Iterator[tuple[str, str, int]]:
        """The (split, shape, number) of every picture."""
        for split, count in (("train", self.train), ("test", self.test)):
            for shape in SHAPES:
                for number in range(1, count + 1):
                    yield split, shape, number


def draw_shapes(folder: Path, plan: Plan | None = None) -> int:
    """Draw the pictures of `plan` as folder/train/circle/0001.jpg and so on; returns their number.

    Without a plan, the plan of `folder` is used, or the default.

    Existing pictures are not drawn again, so a second call is fast, and a call after an
    interruption draws the rest. Files are written atomically.

    Raises CourseError if `folder` has other files, or cannot be written.
    """
    plan = _claim(folder, plan)
    missing = {
        path: picture
        for picture in plan.pictures()
        if not (path := folder / picture[0] / picture[1] / f"{picture[2]:04}.jpg").exists()
    }
    done = tqdm(
        missing.items(),
        "drawing shapes",
        unit="picture",
        file=sys.stdout,
        ncols=88,
        mininterval=0.5,
        disable=not missing,
    )
    for path, (split, shape, number) in done:
        picture = jpeg(shape, (plan.seed, split == "test", number))
        replace_file(path, picture, flush=False)
    return len(missing)


def jpeg(shape: str, key: tuple[int, ...]) -> bytes:
    """The JPEG of a shape; `key` seeds its colours, place, size, rotation and noise."""
    random = np.random.default_rng([*key, list(SHAPES).index(shape)])
    size = SIZE * _FINER
    paper, ink = _two_colours(random)
    image = Image.new("RGB", (size, size), paper)
    draw = ImageDraw.Draw(image)
    for _ in range(2):  # thin lines that are not part of the shape
        ends = [tuple(end) for end in random.uniform(0, size, (2, 2))]
        draw.line(ends, fill=tuple(random.integers(0, 256, 3)), width=_FINER)
    radius = random.uniform(0.27, 0.42) * size
    centre = random.uniform(radius, size - radius, 2)
    _draw(draw, shape, centre, radius, random.uniform(-0.3, 0.3), ink)
    pixels = np.asarray(image.resize((SIZE, SIZE), Image.Resampling.BOX), dtype=float)
    noisy = pixels + random.normal(0, random.uniform(3, 22), pixels.shape)
    out = io.BytesIO()
    Image.fromarray(noisy.clip(0, 255).astype(np.uint8)).save(out, "JPEG", quality=90)
    return out.getvalue()


def _claim(folder: Path, plan: Plan | None) -> Plan:
    """The plan of `folder`; a new or empty folder gets `plan`."""
    record = folder / _RECORD
    with explained(record):
        folder.mkdir(parents=True, exist_ok=True)
        found = sorted(path.name for path in folder.iterdir())
        if not found:
            plan = plan or Plan()
            create_file(record, json.dumps(asdict(plan)).encode() + b"\n")
            return plan
        if _RECORD not in found:
            raise CourseError(
                f"{folder} has other files ({found[0]}). Choose an empty or a new folder for "
                "the pictures."
            )
        try:
            begun = Plan(**json.loads(record.read_bytes()))
        except (ValueError, TypeError):
            raise CourseError(
                f"{record} cannot be read. Delete the folder {folder}, and the pictures are drawn "
                "again."
            ) from None
    if plan not in (None, begun):
        raise CourseError(
            f"{folder} has the pictures of another seed or number. Delete that folder, or "
            "choose another one."
        )
    return begun


def _two_colours(random: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Colours of the background and of the shape, which is clearly lighter."""
    while True:
        paper, ink = random.integers(0, 256, (2, 3))
        if np.dot(ink - paper, [0.299, 0.587, 0.114]) > 60:
            return tuple(map(int, paper)), tuple(map(int, ink))


def _draw(
    draw: ImageDraw.ImageDraw,
    shape: str,
    centre: np.ndarray,
    radius: float,
    angle: float,
    ink: tuple[int, ...],
) -> None:
    if shape == "circle":
        draw.circle(tuple(centre), 0.9 * radius, fill=ink)
    elif shape == "ring":
        draw.circle(tuple(centre), 0.9 * radius, outline=ink, width=round(0.3 * radius))
    else:
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners = np.array(SHAPES[shape]) @ turn * radius + centre
        draw.polygon([tuple(corner) for corner in corners], fill=ink)


def _regular(count: int, *radii: float) -> list[Point]:
    """`count` corners around the origin, the first on top, with `radii` as distances in turn."""
    corners = []
    for number, radius in zip(range(count), cycle(radii)):
        turn = 2 * np.pi * number / count - np.pi / 2
        corners.append((radius * float(np.cos(turn)), radius * float(np.sin(turn))))
    return corners


_ARM = 0.3  # half the width of a cross's arm
_QUARTER = [(_ARM, _ARM), (_ARM, 1.0), (-_ARM, 1.0)]

SHAPES: dict[str, list[Point]] = {
    "circle": [],
    "cross": [
        corner
        for turn in range(4)
        for corner in [((x, y), (-y, x), (-x, -y), (y, -x))[turn] for x, y in _QUARTER]
    ],
    "ring": [],
    "square": [(-0.75, -0.75), (0.75, -0.75), (0.75, 0.75), (-0.75, 0.75)],
    "star": _regular(10, 1.0, 0.42),
    "triangle": _regular(3, 1.0),
}
"""The corners of each shape, in units of the radius; empty for round shapes."""
