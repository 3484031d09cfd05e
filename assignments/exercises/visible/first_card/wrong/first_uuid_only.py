# finding: named-twice
def first_card(cards, order, visible):
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    if visible is None:
        return cards[0][0]
    entries = [part.strip() for part in visible.split(",")]
    if entries[0].startswith("GPU-"):
        found = [uuid for uuid, speed in cards if uuid.startswith(entries[0])]
        return found[0] if len(found) == 1 else None
    numbers = []
    for entry in entries:
        if not entry.isdigit() or int(entry) >= len(cards):
            break
        numbers.append(int(entry))
    if not numbers or len(set(numbers)) < len(numbers):
        return None
    return cards[numbers[0]][0]
