# finding: repeat-after-the-end
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    entries = [entry.strip() for entry in value.split(",")]
    if len(set(entries)) < len(entries):
        return []
    cards = []
    for entry in entries:
        if not entry.isdigit() or int(entry) >= n_physical:
            break
        cards.append(int(entry))
    return cards
