# finding: index-kept
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return place
