"""Judge `free_mib` on reports of the virtual machine's nvidia-smi, and on such that were changed.

Rivals trust the distance of lines, or take every line of that name.
"""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Raises
from course_utils.checking.oracle import OracleJudge, Rival
from virtual_cuda.nvidia import smi

MIB = 2**20
MIDDLE = "550.54.14"  # has Reserved and the section of confidential computing
_NUMBER = re.compile(r":\s*(\d+) MiB|:\s*(N/A)")


@dataclass(frozen=True)
class Gpu:
    """MiB; free is None where the report says N/A."""

    total: int
    free: int | None


def report(gpus: Sequence[Gpu], driver: str, *options: str) -> str:
    """What `nvidia-smi -q` prints on a machine with these GPUs."""
    cards = tuple(_card(number, gpu) for number, gpu in enumerate(gpus))
    text = smi.run(smi.Report(driver, 1_700_000_000.0, cards), ("-q", *options))[0]
    unknown = iter(gpu.free is None for gpu in gpus)
    return re.sub(
        r"(FB Memory Usage\n(?: {8}.*\n)*? {8}Free +: )\d+ MiB",
        lambda found: found[1] + "N/A" if next(unknown) else found[0],
        text,
    )


def _card(number: int, gpu: Gpu) -> smi.Card:
    used = (gpu.total - (gpu.free or 0)) * MIB
    return smi.Card(
        index=number,
        name="NVIDIA GPU",
        uuid=f"GPU-{number:08x}",
        bus_id=f"00000000:{16 * (number + 1) + 10:02X}:00.0",
        capability="8.6",
        total=gpu.total * MIB + 317 * MIB,
        reserved=317 * MIB,
        used=used,
        utilization=0,
        temperature=40,
        power=30.0,
        power_limit=350.0,
        fan=30,
        clock=210,
        ecc=False,
        mig=False,
        processes=(),
    )


def _value(line: str) -> int | None:
    found = _NUMBER.search(line)
    if found is None:
        raise ValueError(line)
    return None if found[2] else int(found[1])


def _parts(text: str) -> list[list[str]]:
    """The lines of each GPU."""
    return [part.splitlines() for part in re.split(r"^GPU (?=0)", text, flags=re.MULTILINE)[1:]]


def _section(lines: Sequence[str], name: str) -> list[str]:
    begin = next(n for n, line in enumerate(lines) if line.strip() == name)
    rest = [*lines[begin + 1 :], ""]
    return rest[: next(n for n, line in enumerate(rest) if not line.startswith(" " * 8))]


def _named(lines: Iterable[str], name: str) -> list[str]:
    return [line for line in lines if re.match(rf"\s+{name}\s*:", line)]


def read(text: str) -> list[int | None]:
    return [_value(_named(_section(lines, "FB Memory Usage"), "Free")[0]) for lines in _parts(text)]


def _after_gpu(text: str, lines: int) -> list[int | None]:
    """grep -A: of the lines that soon follow one with the word GPU."""
    rows, found = text.splitlines(), []
    for number, row in enumerate(rows):
        near = any("GPU" in before for before in rows[max(0, number - lines) : number + 1])
        if near and "Free" in row:
            found.append(_value(row))
    return found


def _each_of(text: str, pick: Callable[[list[str]], str]) -> list[int | None]:
    return [_value(pick(_named(lines, "Free"))) for lines in _parts(text)]


class FreeMib(OracleJudge):
    form, types, otherwise = "a list of numbers", ("list", "tuple"), "other-amounts"
    raises = (
        Raises("not-available-read", "ValueError", "N/A"),
        Raises("not-available-read", "IndexError"),
    )
    rivals = (
        Rival("first-free-line", lambda text: _each_of(text, lambda lines: lines[0])),
        Rival("lines-counted", lambda text: _after_gpu(text, 4)),
        Rival("lines-counted", lambda text: _after_gpu(text, 5)),
        Rival(
            "every-free-line",
            lambda text: [_value(line) for line in _named(text.splitlines(), "Free")],
        ),
        Rival("last-free-line", lambda text: _each_of(text, lambda lines: lines[-1])),
        Rival(
            "largest-free-line",
            lambda text: [
                max(_value(line) or 0 for line in _named(lines, "Free")) for lines in _parts(text)
            ],
        ),
        Rival(
            "used-read",
            lambda text: [
                _value(_named(_section(lines, "FB Memory Usage"), "Used")[0])
                for lines in _parts(text)
            ],
        ),
        Rival(
            "total-read",
            lambda text: [
                _value(_named(_section(lines, "FB Memory Usage"), "Total")[0])
                for lines in _parts(text)
            ],
        ),
        Rival("unknown-dropped", lambda text: [mib for mib in read(text) if mib is not None]),
        Rival("unknown-as-zero", lambda text: [mib or 0 for mib in read(text)]),
        Rival("as-strings", lambda text: [mib and str(mib) for mib in read(text)]),
        Rival("one-gpu-only", lambda text: read(text)[:1]),
    )

    def oracle(self, text: str) -> list[int | None]:
        return read(text)

    def shown(self, described: Any, data: Any) -> str:
        return clip(super().shown(described, data), 160)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def gpus(count: int, low: int = 600, high: int = 20_000) -> list[Gpu]:
            return [Gpu(rng.choice((24_220, 40_507)), rng.randint(low, high)) for _ in range(count)]

        def drawn(title: str, draw: Callable[[], str], *findings: str) -> Case:
            return Case(title, self.telling(lambda: {"text": draw()}, *findings))

        def memory(count: int, driver: str, **bounds: int) -> Callable[[], str]:
            return lambda: report(gpus(count, **bounds), driver, "-d", "MEMORY")

        def unknown() -> str:
            machine = gpus(3)
            machine[rng.randrange(3)] = Gpu(24_220, None)
            return report(machine, smi.NEWER, "-d", "MEMORY")

        def other_order() -> str:
            """BAR1 before FB."""
            text = report(gpus(2), smi.NEWER, "-d", "MEMORY")
            section = r"((?: {8}.*\n)+)"
            return re.sub(rf"( {{4}}FB.*\n){section}( {{4}}BAR1.*\n){section}", r"\3\4\1\2", text)

        def longer() -> str:
            """A section with lines that no driver of today has."""
            text = report(gpus(2), smi.NEWER, "-d", "MEMORY")
            more = "".join(
                f"        {name:<34}: {rng.randint(1, 9)} MiB\n"
                for name in ("Free Pages Retired", "Carveout")
            )
            return re.sub(r"( {8}Reserved.*\n)", rf"\1{more}", text)

        def narrow() -> str:
            return re.sub(r" +:", " :", report(gpus(2), MIDDLE, "-d", "MEMORY"))

        every = ("every-free-line", "used-read", "total-read")
        return [
            drawn(
                "one GPU, an older driver",
                memory(1, smi.OLDER),
                *every,
                "last-free-line",
                "as-strings",
            ),
            drawn("two GPUs, an older driver", memory(2, smi.OLDER), "one-gpu-only", *every),
            drawn(
                "four GPUs, a newer driver",
                memory(4, smi.NEWER),
                "lines-counted",
                *every,
                "last-free-line",
            ),
            drawn(
                "a GPU that is nearly full",
                memory(2, smi.NEWER, low=1, high=200),
                "largest-free-line",
            ),
            drawn("an amount that is not known", unknown, "unknown-dropped", "unknown-as-zero"),
            drawn("a driver with more lines", longer, "lines-counted"),
            drawn("another section first", other_order, "first-free-line"),
            drawn("fewer spaces", narrow, "lines-counted"),
            drawn(
                "lines that end in \\r\\n",
                lambda: memory(2, MIDDLE)().replace("\n", "\r\n"),
                "last-free-line",
            ),
            drawn("the whole report", lambda: report(gpus(3), smi.NEWER), "every-free-line"),
            drawn("eight GPUs", memory(8, smi.NEWER), "every-free-line", "one-gpu-only"),
            Case("the task's example", {"text": EXAMPLE}),
            Case("no GPU", {"text": report([], smi.NEWER, "-d", "MEMORY")}),
        ]


EXAMPLE = """\
Attached GPUs                             : 1
GPU 00000000:1A:00.0
    FB Memory Usage
        Total                             : 24576 MiB
        Reserved                          : 317 MiB
        Used                              : 3400 MiB
        Free                              : 20859 MiB
    BAR1 Memory Usage
        Total                             : 256 MiB
        Used                              : 2 MiB
        Free                              : 254 MiB
"""


judge = FreeMib()
