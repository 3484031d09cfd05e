# finding: no-number
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        if int(entry) >= n_physical:
            break
        cards.append(int(entry))
    return cards
