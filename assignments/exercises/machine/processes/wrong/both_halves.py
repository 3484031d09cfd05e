# finding: rows-too-many
def processes(table):
    found = []
    for line in table.splitlines():
        words = line.strip("| ").split()
        if len(words) < 7 or not words[0].isdigit():
            continue
        digits = "".join(filter(str.isdigit, words[3])) or "0"
        last = words[-1].removesuffix("MiB")
        found.append((int(words[0]), int(digits), words[4], int(last) if last.isdigit() else None))
    return found
