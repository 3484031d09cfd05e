def first_card(cards, order, visible):
    """Return the UUID of cuda:0, or None.

    cards: (UUID, speed) in the order of nvidia-smi. order: CUDA_DEVICE_ORDER, or None.
    visible: CUDA_VISIBLE_DEVICES, or None.
    """
    ### BEGIN SOLUTION
    # `sorted` leaves the caller's list alone, and cards of the same speed in their order.
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    uuids = [uuid for uuid, speed in cards]
    if visible is None:
        return uuids[0]
    chosen = []
    for entry in visible.split(","):
        number = entry.strip()
        if visible.startswith("GPU-"):
            # CUDA does not guess: the beginning of two UUIDs names neither card.
            named = [uuid for uuid in uuids if uuid.startswith(entry)]
        elif number.isdigit() and int(number) < len(uuids):
            named = [uuids[int(number)]]
        else:
            named = []
        if len(named) != 1:
            break
        chosen += named
    if not chosen or len(set(chosen)) < len(chosen):
        return None
    return chosen[0]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# cards = [("GPU-8932f937", 36), ("GPU-1f22a253", 12), ("GPU-2c01dfd4", 83)]
# print(first_card(cards, None, "1"), first_card(cards, "PCI_BUS_ID", "1"))
