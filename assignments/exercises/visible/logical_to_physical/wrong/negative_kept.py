# finding: negative-kept
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.removeprefix("-").isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []
