def first_card(cards, order, visible):
    """Return the UUID of cuda:0, or None.

    cards: (UUID, speed) in the order of nvidia-smi. order: CUDA_DEVICE_ORDER, or None.
    visible: CUDA_VISIBLE_DEVICES, or None.
    """
    ### BEGIN SOLUTION
    # `sorted` leaves the caller's list alone, and equal elements in their order.
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    if visible is None:
        return cards[0][0]
    entries = [part.strip() for part in visible.split(",")]
    if entries[0].startswith("GPU-"):
        # CUDA does not guess: a beginning that fits two cards names none.
        found = [uuid for uuid, speed in cards if uuid.startswith(entries[0])]
        return found[0] if len(found) == 1 else None
    # Numbers are places in CUDA's order, with the rules of task 1.
    places = []
    for entry in entries:
        if not entry.isdigit() or int(entry) >= len(cards):
            break
        places.append(int(entry))
    if not places or len(set(places)) < len(places):
        return None
    return cards[places[0]][0]
    ### END SOLUTION

# %% try
# Try it out here: remove the # signs and run.
# cards = [("GPU-8932f937", 12), ("GPU-1f22a253", 83), ("GPU-2c01dfd4", 36)]
# print(first_card(cards, None, "1"), first_card(cards, "PCI_BUS_ID", "1"))
