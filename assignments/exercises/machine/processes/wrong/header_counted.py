# outcome: raised
def processes(table):
    _, _, lower = table.partition("Processes:")
    found = []
    for line in lower.splitlines()[4:-1]:
        words = line.strip("| ").split()
        memory = None if words[-1] == "N/A" else int(words[-1].removesuffix("MiB"))
        found.append((int(words[0]), int(words[3]), words[4], memory))
    return found
