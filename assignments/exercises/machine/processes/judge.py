"""Judge `processes` by the rows from which each table was printed.

The tables are those of `virtual_cuda.nvidia.smi`; Windows' differences are put into them.
"""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival
from virtual_cuda.nvidia import smi

Row = list[Any]
"""Card, PID, type, name, memory in MiB or None."""

LINUX, OLD, WINDOWS = "580.65.06", "462.59", "576.02"
NAMES = ("/home/li/venv/bin/python", "python", "/usr/lib/xorg/Xorg", "ray::train")
SPACED = (r"C:\Program Files\Paint 3\Paint 3.exe", r"C:\Games 24\Go 9\go.exe")
NUMBERED = r"D:\Area 7 Two\area.exe"

EXAMPLE = r"""…
| Processes:                                                                              |
|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
|    0   N/A  N/A           48213      C   /home/li/venv/bin/python              38912MiB |
|    0   N/A  N/A            6120    C+G   ...gram Files\Paint 3\Paint 3.exe      N/A     |
+-----------------------------------------------------------------------------------------+
"""


class Processes(OracleJudge):
    form, types, otherwise = "a list of tuples", ("list", "tuple"), "other-processes"
    rivals = (
        Rival("na-is-zero", lambda table, rows: [[c, p, t, m or 0] for c, p, t, m in rows]),
        Rival("strings", lambda table, rows: [[str(c), str(p), t, m] for c, p, t, m in rows]),
        Rival("unit-kept", lambda table, rows: [[c, p, t, _written(m)] for c, p, t, m in rows]),
        Rival(
            "unit-kept",
            lambda table, rows: [[str(c), str(p), t, _written(m)] for c, p, t, m in rows],
        ),
        Rival("unit-kept", lambda table, rows: [[c, p, t, m and f"{m}MiB"] for c, p, t, m in rows]),
        Rival("rows-missing", lambda table, rows: [row for row in rows if row[3] is not None]),
        Rival("rows-missing", lambda table, rows: [row for row in rows if "C" in row[2]]),
        Rival("rows-missing", lambda table, rows: [row for row in rows if row[2] == "C"]),
        Rival("memory-missed", lambda table, rows: [[c, p, t, None] for c, p, t, _ in rows]),
        Rival("other-order", lambda table, rows: sorted(rows)),
        Rival("other-order", lambda table, rows: sorted(rows, key=lambda row: row[1])),
    )

    def oracle(self, table: str, rows: Sequence[Row]) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in rows]

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def some(*kinds: str, names: Sequence[str] = NAMES, cards: int = 1) -> list[Row]:
            """A process of each kind; from the first to the last, PIDs fall."""
            pids = sorted(rng.sample(range(1000, 60000), len(kinds)), reverse=True)
            return [
                [min(n, cards - 1), pid, kind, rng.choice(names), rng.randint(200, 20000)]
                for n, (pid, kind) in enumerate(zip(pids, kinds, strict=True))
            ]

        first, second = some("C", "C", cards=2)
        twice = [first, [second[0], *first[1:4], second[4]]]
        numbered = some("C", "C+G", names=(NUMBERED,))
        nobody = [
            [card, pid, kind, name, None]
            for card, pid, kind, name, _ in some("C+G", "C", "C+G", names=SPACED)
        ]
        spaced = [[0, 9001, "C+G", SPACED[0], None], [0, 312, "C+G", SPACED[1], None]]
        return [
            _case("Linux, one process", LINUX, some("C")),
            _case("Linux, several cards", LINUX, some("C", "C", "G", cards=3)),
            _case("Linux, several processes on one card", LINUX, some("C", "G", "C")),
            _case("Linux, one process on two cards", LINUX, twice),
            _case("a process that only draws", LINUX, some("G")),
            _case("no processes", LINUX, []),
            _case("no processes, an older driver", OLD, []),
            _case("an older driver, with a narrower table", OLD, some("C", "C", "G", cards=2)),
            _case("Windows: no memory is known", WINDOWS, nobody),
            _case("Windows: names with spaces", WINDOWS, spaced),
            _case("Windows: a number in the name", WINDOWS, numbered),
            _case(
                "Windows, one known and one unknown memory",
                WINDOWS,
                [*some("C", names=SPACED), *nobody[:1]],
            ),
            _case("a card that is divided", LINUX, some("C", "C"), instance=rng.randint(1, 6)),
            _case("more than ten cards", LINUX, some(*"C" * 12, cards=12)),
            Case(
                "the task's example",
                {"table": EXAMPLE, "rows": [[0, 48213, "C", 38912], [0, 6120, "C+G", None]]},
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found = super().judge(case, facts)
        if found is None or found.name != self.otherwise:
            return found
        seen, right = len(facts["result"]["items"]), len(case.data["rows"])
        if seen == right:
            return found
        name = "rows-too-many" if seen > right else "rows-missing"
        return Finding(name, f"{seen} in all: {clip(found.seen, 100)}", f"{right} in all")

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 160)


def _written(memory: int | None) -> str:
    return "N/A" if memory is None else f"{memory}MiB"


def _case(title: str, driver: str, rows: Sequence[Row], instance: int | None = None) -> Case:
    kept = [[card, pid, kind, memory] for card, pid, kind, _, memory in rows]
    return Case(title, {"table": _table(driver, rows, instance), "rows": kept})


def _table(driver: str, rows: Sequence[Row], instance: int | None) -> str:
    cards = max([row[0] for row in rows], default=0) + 1
    report = smi.Report(driver, 1.0e9, tuple(_card(number, rows) for number in range(cards)))
    lines = smi.run(report, ())[0].splitlines()
    half = next(number for number, line in enumerate(lines) if "Processes:" in line)
    for row in rows:
        found = (n for n, line in enumerate(lines) if n > half and f" {row[1]} " in line)
        number = next(found, half)
        if row[4] is None:
            lines[number] = re.sub(r" +\d+MiB \|$", f"{'N/A':>9}      |", lines[number])
            lines[number] = f"{lines[number][:-1]:<{len(lines[half]) - 1}.{len(lines[half]) - 1}}|"
        if instance is not None:
            lines[number] = lines[number].replace("N/A  N/A", f"{instance:>3}    0", 1)
    if driver == WINDOWS:
        lines = [_windows(line) for line in lines]
    return "\n".join(lines) + "\n"


def _windows(line: str) -> str:
    line = line.replace("Persistence-M", " Driver-Model")
    return re.sub(r"^(\|   \d  .{29})  Off ", r"\1WDDM  ", line)


def _card(number: int, rows: Sequence[Row]) -> smi.Card:
    mine = tuple(
        smi.Process(pid, name, (memory or 1) << 20, kind)
        for card, pid, kind, name, memory in rows
        if card == number
    )
    used = sum(process.memory for process in mine)
    return smi.Card(
        index=number,
        name="NVIDIA RTX 4000 Ada Generation",
        uuid=f"GPU-{number}",
        bus_id=f"00000000:{number + 1:02X}:00.0",
        capability="8.9",
        total=240 << 30,
        reserved=0,
        used=used,
        utilization=17 * number % 100,
        temperature=41 + number,
        power=22,
        power_limit=130,
        fan=None if number % 2 else 30,
        clock=1500,
        ecc=False,
        mig=False,
        processes=mine,
    )


judge = Processes()
