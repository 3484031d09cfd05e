import re

ROW = re.compile(
    r"\|\s+(\d+)\s+(?:N/A|\d+)\s+(?:N/A|\d+)\s+(\d+)\s+([CG+]+)\s+.*?\s(?:(\d+)MiB|N/A)\s+\|"
)


def processes(table):
    below = table[table.index("Processes:"):]
    return [(int(card), int(pid), kind, int(mib) if mib else None)
            for card, pid, kind, mib in ROW.findall(below)]
