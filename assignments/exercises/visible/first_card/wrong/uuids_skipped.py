# finding: list-not-ended
def first_card(cards, order, visible):
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    uuids = [uuid for uuid, speed in cards]
    if visible is None:
        return uuids[0]
    if visible.startswith("GPU-"):
        found = []
        for entry in visible.split(","):
            named = [uuid for uuid in uuids if uuid.startswith(entry)]
            if len(named) == 1:
                found += named
        return found[0] if found and len(set(found)) == len(found) else None
    numbers = []
    for entry in visible.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        numbers.append(int(entry))
    return uuids[numbers[0]] if numbers and len(set(numbers)) == len(numbers) else None
