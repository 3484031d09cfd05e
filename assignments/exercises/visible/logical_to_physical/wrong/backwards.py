# finding: order-lost
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.insert(0, int(number))
    return cards if len(set(cards)) == len(cards) else []
