# outcome: raised
def processes(table):
    lines = table.splitlines()
    start = next(n for n, line in enumerate(lines) if "Processes:" in line)
    found = []
    for line in lines[start + 4 : -1]:
        last = line[78:89].strip()
        memory = None if last == "N/A" else int(last.removesuffix("MiB"))
        found.append((int(line[1:6]), int(line[15:33]), line[34:41].strip(), memory))
    return found
