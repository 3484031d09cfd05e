def free_mib(text):
    lines = [line.rstrip() for line in text.splitlines()]
    starts = [i for i, line in enumerate(lines) if line.startswith("GPU ")]
    free = []
    for start, stop in zip(starts, starts[1:] + [len(lines)]):
        part = lines[start:stop]
        at = part.index("    FB Memory Usage") + 1
        while part[at].split(":")[0].strip() != "Free":
            at += 1
        value = part[at].split(":")[1].split()[0]
        free.append(None if value == "N/A" else int(value))
    return free
