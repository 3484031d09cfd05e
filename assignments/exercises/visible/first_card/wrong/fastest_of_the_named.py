# finding: nvidia-smi-order-assumed
def first_card(cards, order, visible):
    if visible is None:
        return cards[0][0] if order == "PCI_BUS_ID" else max(cards, key=lambda card: card[1])[0]
    entries = [part.strip() for part in visible.split(",")]
    if entries[0].startswith("GPU-"):
        found = [uuid for uuid, speed in cards if uuid.startswith(entries[0])]
        return found[0] if len(found) == 1 else None
    places = [int(entry) for entry in entries if entry.isdigit() and int(entry) < len(cards)]
    if not places:
        return None
    chosen = [cards[place] for place in places]
    if order != "PCI_BUS_ID":
        chosen.sort(key=lambda card: -card[1])
    return chosen[0][0]
