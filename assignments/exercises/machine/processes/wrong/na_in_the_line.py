# finding: memory-missed
def processes(table):
    found = []
    _, _, lower = table.partition("Processes:")
    for line in lower.splitlines():
        words = line.strip("| ").split()
        if len(words) < 7 or not words[0].isdigit():
            continue
        memory = None if "N/A" in line else int(words[-1].removesuffix("MiB"))
        found.append((int(words[0]), int(words[3]), words[4], memory))
    return found
