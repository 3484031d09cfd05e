# finding: not-the-first-entry
def first_card(cards, order, visible):
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    uuids = [uuid for uuid, speed in cards]
    if visible is None:
        return uuids[0]
    if visible.startswith("GPU-"):
        entries = visible.split(",")
        fits = [[uuid for uuid in uuids if uuid.startswith(entry)] for entry in entries]
        if len(fits[0]) != 1:
            return None
        return next((u for u in uuids if any(fit == [u] for fit in fits)), None)
    numbers = []
    for entry in visible.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        numbers.append(int(entry))
    return uuids[numbers[0]] if numbers and len(set(numbers)) == len(numbers) else None
