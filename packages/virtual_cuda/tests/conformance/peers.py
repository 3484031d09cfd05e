"""How many programs pass on virtual CUDA and on its peers: ``python -m conformance.peers``.

A program passes where it shows exactly what a real GPU shows, so virtual CUDA's deliberate
differences count against it here.
"""

from __future__ import annotations

import sys
from collections import Counter

from .programs import PROGRAMS as ALL
from .recording import describe, load_all, standard
from .runner import run
from .worlds import VIRTUAL_DEVICES, WORLDS

PEERS = ("cpu", "fake", "virtual")
PROGRAMS = {name: program for name, program in ALL.items() if not program.says_cuda}


def passed(world: str) -> Counter[str]:
    """How many programs of each file pass in a world."""
    real = standard(load_all())
    facts = run(PROGRAMS.values(), world, VIRTUAL_DEVICES)
    return Counter(name.split(".")[0] for name in PROGRAMS if facts[name] == real[name])


def main() -> int:
    """Print the table."""
    results = {world: passed(world) for world in PEERS}
    for world in PEERS:
        print(f"{world:>8}: {WORLDS[world].shows}")
    print(f"\n{'programs about':<20}{'all':>6}" + "".join(f"{world:>9}" for world in PEERS))
    totals = Counter(name.split(".")[0] for name in PROGRAMS)
    for group, total in totals.items():
        counts = "".join(f"{results[world][group]:>9}" for world in PEERS)
        print(f"{group:<20}{total:>6}{counts}")
    counts = "".join(f"{results[world].total():>9}" for world in PEERS)
    print(f"{'all':<20}{totals.total():>6}{counts}\n")
    print(describe(load_all()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
