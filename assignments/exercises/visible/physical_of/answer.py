def physical_of(value, device, n_physical):
    """Return the physical number of the card behind `device`.

    Raises ValueError, with `device` in its message, for a device that does not exist.
    """
    ### BEGIN SOLUTION
    # First the list of visible cards, by the rules of logical_to_physical.
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    # Then the device. Its index is a position in that list, and need not be one of its entries.
    kind, _, number = device.partition(":")
    position = int(number or 0)
    if kind != "cuda" or position >= len(cards):
        raise ValueError(f"{device} does not exist: visible cards {cards}")
    return cards[position]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(physical_of("0,3,2", "cuda:1", 4))
# physical_of("2,3", "cuda:3", 4)     # ValueError
