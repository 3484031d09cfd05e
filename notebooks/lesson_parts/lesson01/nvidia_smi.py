"""`smi_map`: the table of nvidia-smi with one field marked, and what it says."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import wrap

from course_utils.errors import CourseError
from course_utils.figures.picture import INK, MONO, ORANGE, QUIET, SMALL, WIDTH, Picture

HERE = Path(__file__).parent
SYSTEMS = ("Linux", "Windows")
LEFT, TOP, LINE_HEIGHT, ACROSS = 0.25, 0.62, 0.172, 91
CHARACTER = (WIDTH - 2 * LEFT) / ACROSS
"""Inches."""
POINTS = CHARACTER * 72 / 0.602
"""The size at which a letter of MONO is so wide."""

_LINES = tuple(
    map(
        re.compile,
        (
            r"(?P<timestamp>\w{3} \w{3} .*\d{4})$",
            r"\| (?P<tool>NVIDIA-SMI \S+) +(?P<driver>Driver Version: \S+) +"
            r"(?P<cuda>CUDA Version: \S+)",
            r"\| (?P<gpu>GPU) +(?P<name>Name) +(?P<mode>Persistence-M|Driver-Model) "
            r"\| (?P<bus>Bus-Id) +(?P<display>Disp\.A) \| (?P<ecc>Volatile Uncorr\. ECC)",
            r"\| (?P<fan>Fan) +(?P<temp>Temp) +(?P<perf>Perf) +(?P<power>Pwr:Usage/Cap) "
            r"\| +(?P<memory>Memory-Usage) \| (?P<util>GPU-Util) +(?P<compute>Compute M\.)",
            r"\| +\| +\| +(?P<mig>MIG M\.) \|",
            r"\| +(?P<gpu>\d+)  (?P<name>\S.*?) {2,}(?P<mode>On|Off|WDDM|TCC) +"
            r"\| +(?P<bus>[0-9A-F]{8}:\S+) +(?P<display>On|Off) \| +(?P<ecc>\S+) \|",
            r"\| *(?P<fan>\d+%|N/A) +(?P<temp>\d+C) +(?P<perf>P\d+) +(?P<power>\d+W / +\d+W) "
            r"\| +(?P<memory>\d+MiB / +\d+MiB) \| +(?P<util>\d+%) +(?P<compute>\S+) \|",
            r"\| +\| +\| +(?P<mig>Disabled|Enabled|N/A) \|",
            r"\|  (?P<gpu>GPU)   (?P<gi>GI   CI) +(?P<pid>PID) +(?P<type>Type) +"
            r"(?P<process>Process name) +(?P<usage>GPU Memory)",
            r"\| +(?P<gi>ID   ID) +(?P<usage>Usage)",
            r"\| +(?P<gpu>\d+) +(?P<gi>N/A  N/A) +(?P<pid>\d+) +(?P<type>C\+G|C|G) +"
            r"(?P<process>\S.*?) {2,}(?P<usage>\d+MiB|N/A) +\|",
        ),
    )
)
"""Every line of the table that has fields in it, headers and values."""


@dataclass(frozen=True)
class Field:
    """A field of the table: its name in `_LINES`, its heading, and what it says."""

    key: str
    heading: str
    text: str


@cache
def fields() -> tuple[Field, ...]:
    """All fields, in the order in which one reads them."""
    words = (HERE / "nvidia_smi.md").read_text(encoding="utf-8")
    found = re.findall(r"^## (\w+): (.+)\n((?:.+\n?)+)", words, flags=re.MULTILINE)
    return tuple(Field(key, heading, " ".join(text.split())) for key, heading, text in found)


@cache
def table(system: str) -> tuple[str, ...]:
    """The lines that nvidia-smi prints: on the shared server of lesson 01, or on a laptop."""
    file = HERE / f"nvidia_smi_{system.lower()}.txt"
    return tuple(file.read_text(encoding="utf-8").splitlines())


def places(key: str, lines: tuple[str, ...]) -> Iterator[tuple[int, int, int]]:
    """Where a field stands, headings and values: line, first column, and the one after the last."""
    for number, line in enumerate(lines):
        match = next(filter(None, (pattern.match(line) for pattern in _LINES)), None)
        if match and key in match.re.groupindex:
            yield number, *match.span(key)


def smi_map(system: str, number: int) -> Picture:
    """Draw nvidia-smi's table on a system, "Linux" or "Windows", with field `number` marked.

    Raises CourseError if there is no such system or field. Fields are counted from 1.
    """
    if system not in SYSTEMS or not 1 <= number <= len(fields()):
        raise CourseError(
            f"There is no field {number} on {system}: give 1 to {len(fields())}, "
            f"and {' or '.join(SYSTEMS)}."
        )
    field, lines = fields()[number - 1], table(system)
    bottom = TOP + len(lines) * LINE_HEIGHT
    told = wrap(field.text.replace("`", "").replace("*", ""), 104)
    page = Picture(bottom + 1.1, f"nvidia-smi on {system}")
    marked = []
    for line, first, last in places(field.key, lines):
        left, top = LEFT + first * CHARACTER - 0.03, TOP + (line - 0.5) * LINE_HEIGHT
        page.bar(left, top, (last - first) * CHARACTER + 0.06, LINE_HEIGHT, (ORANGE, None))
        marked.append(repr(lines[line][first:last]))
    for row, printed in enumerate(lines):
        for match in re.finditer(r"\S+", printed):  # word by word: blanks differ in fonts
            x, ruled = LEFT + match.start() * CHARACTER, not re.search(r"[^-+=|]", match[0])
            color = QUIET if ruled else INK
            page.write(x, TOP + row * LINE_HEIGHT, match[0], size=POINTS, family=MONO, color=color)
    page.box(LEFT, bottom, WIDTH - 2 * LEFT, 0.9, edge=INK)
    page.write(LEFT + 0.15, bottom + 0.2, f"{number} · {field.heading}", weight="bold")
    for row, text in enumerate(told):
        page.write(LEFT + 0.15, bottom + 0.45 + 0.2 * row, text, size=SMALL)
    page.tell(
        f"nvidia-smi on {system}. Field {number}, {field.heading}, marked at "
        f"{', '.join(marked)}: {field.text}"
    )
    return page
