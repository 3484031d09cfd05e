def logical_to_physical(value, n_physical):
    """Return the physical numbers of the visible cards, in their logical order."""
    ### BEGIN SOLUTION
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        # Digits only: so neither "-1" nor "" nor "[2" is a number here. Nothing is repaired, and
        # nothing is skipped: the first entry that is not a card ends the list.
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    # A set has each number once. If it is smaller, a card was named twice.
    return cards if len(set(cards)) == len(cards) else []
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# for value in ("2,3", "2, 3", "-1", "", None):
#     print(repr(value), logical_to_physical(value, 4))
