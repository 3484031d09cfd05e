# finding: card-missed
def first_card(cards, order, visible):
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    uuids = [uuid for uuid, speed in cards]
    if visible is None:
        return uuids[0]
    chosen = []
    for entry in visible.split(","):
        if entry.startswith("GPU-"):
            named = [uuid for uuid in uuids if uuid.startswith(entry)]
        else:
            named = [u for number, u in enumerate(uuids) if str(number) == entry]
        if len(named) != 1:
            break
        chosen += named
    return chosen[0] if chosen and len(set(chosen)) == len(chosen) else None
