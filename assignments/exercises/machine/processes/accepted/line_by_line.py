from collections import namedtuple

Row = namedtuple("Row", "card pid type memory")


def processes(table):
    rows, below = [], False
    for line in table.split("\n"):
        below = below or "Processes:" in line
        parts = line.split()
        if not below or len(parts) < 8 or not parts[1].isnumeric():
            continue
        bar, card, gi, ci, pid, kind, *name, memory, end = parts
        mib = None
        if memory.endswith("MiB"):
            mib = int(memory[:-3])
        rows.append(Row(int(card), int(pid), kind, mib))
    return tuple(rows)
