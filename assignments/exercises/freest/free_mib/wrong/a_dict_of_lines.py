# finding: last-free-line
def free_mib(text):
    cards = []
    for line in text.splitlines():
        if line.startswith("GPU "):
            cards.append({})
        name, colon, value = line.partition(":")
        if colon and cards and line.startswith(" "):
            cards[-1][name.strip()] = value.strip()
    return [None if c["Free"] == "N/A" else int(c["Free"].split()[0]) for c in cards]
