# finding: other-processes
def processes(table):
    found = []
    _, _, lower = table.partition("Processes:")
    for line in lower.splitlines():
        words = line.strip("| ").split()
        if len(words) < 7 or not words[0].isdigit():
            continue
        numbers = [word for word in words[1:] if word.isdigit()]
        memory = None if words[-1] == "N/A" else int(words[-1].removesuffix("MiB"))
        found.append((int(words[0]), int(numbers[-1]), words[4], memory))
    return found
