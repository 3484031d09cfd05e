"""The texts of ``nvidia-smi``, written from a report of the machine.

Two layouts, chosen by the version of the driver: *older* (470: narrow table, no ``Reserved`` line)
and *newer* (580: wide table, ``Reserved`` under Total, protected memory). Both were taken from
public logs. Drivers in between get the parts they had, nearly: ``Reserved`` from 510, the wide
table (which grew in steps) and protected memory from 535.

These files import only the standard library and each other, so that the ``nvidia-smi`` command of
``command.py`` can run them without torch. Amounts are bytes; the texts use MiB.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from .columns import APP_FIELDS, GPU_FIELDS, csv
from .log import listing, query
from .options import Refused, parse, pause, select
from .report import NEWER, OLDER, Card, Process, Report
from .table import table

__all__ = ["NEWER", "OLDER", "Card", "Process", "Report", "main", "run"]

NO_DRIVER = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
    "Make sure that the latest NVIDIA driver is installed and running.\n"
)
HELP = """\
NVIDIA System Management Interface -- v{driver} (virtual: a part of its options)

nvidia-smi [OPTION1 [ARG1]] [OPTION2 [ARG2]] ...

    -h,   --help                Print usage information and exit.
    -L,   --list-gpus           Display a list of GPUs connected to the system.
    <no arguments>              Show a summary of GPUs connected to the system.
    -i,   --id=                 Target a specific GPU: index, UUID or PCI bus ID.
    -q,   --query               Display GPU info.
    -d,   --display=            Display only selected information: MEMORY, UTILIZATION.
    --query-gpu=                Information about GPU.
    --query-compute-apps=       List of currently active compute processes.
    --format=                   csv[,noheader][,nounits]
    -l,   --loop=               Probe until Ctrl+C at specified second interval.
    -lms, --loop-ms=            Probe until Ctrl+C at specified millisecond interval.
"""


def run(report: Report, arguments: Iterable[str]) -> tuple[str, int]:
    """The output of ``nvidia-smi ARGUMENTS``, and its exit code."""
    try:
        options = parse(arguments)
        if "-h" in options:
            return HELP.format(driver=report.driver), 0
        cards = select(report, options.get("-i"))
        if "-L" in options:
            return listing(cards), 0
        if "--query-gpu" in options:
            rows = [(report, card) for card in cards]
            return csv(report, GPU_FIELDS, options, "--query-gpu", rows), 0
        if "--query-compute-apps" in options:
            apps = [(c, p) for c in cards for p in c.processes if p.kind == "C"]
            return csv(report, APP_FIELDS, options, "--query-compute-apps", apps), 0
        if "-q" in options:
            return query(report, cards, options.get("-d")), 0
        return table(report, cards), 0
    except Refused as refusal:
        return refusal.text, refusal.code


def main(arguments: Sequence[str]) -> int:
    """Run ``nvidia-smi`` on a report in a file, whose path is the first argument."""
    path, *options = arguments
    seconds = pause(options)
    try:
        while True:
            with open(path, encoding="utf-8") as file:
                report = Report.from_json(file.read())
            text, code = run(report, options)
            print(text, end="", flush=True)
            if seconds is None or code:
                return code
            time.sleep(seconds)
    except FileNotFoundError:
        print(NO_DRIVER)
        return 9
    except KeyboardInterrupt:
        return 130
