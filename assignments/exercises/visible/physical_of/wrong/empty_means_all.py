# finding: empty-value
def physical_of(value, device, n_physical):
    entries = value.split(",") if value else map(str, range(n_physical))
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, index = device.partition(":")
    position = int(index or 0)
    if kind != "cuda" or position >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[position]
