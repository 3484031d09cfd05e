# finding: other-form
def processes(table):
    found = {}
    _, _, lower = table.partition("Processes:")
    for line in lower.splitlines():
        words = line.strip("| ").split()
        if len(words) >= 7 and words[0].isdigit():
            found[int(words[3])] = int(words[0])
    return found
