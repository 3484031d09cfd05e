# finding: nothing-returned
def logical_to_physical(value, n_physical):
    if value is not None:
        cards = []
        for entry in value.split(","):
            number = entry.strip()
            if not number.isdigit() or int(number) >= n_physical:
                break
            cards.append(int(number))
        return cards if len(set(cards)) == len(cards) else []
