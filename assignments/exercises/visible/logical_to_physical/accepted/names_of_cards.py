from itertools import takewhile


def logical_to_physical(value, n_physical):
    names = {str(number): number for number in range(n_physical)}
    entries = names if value is None else [entry.strip() for entry in value.split(",")]
    cards = [names[entry] for entry in takewhile(names.__contains__, entries)]
    return [] if any(cards.count(card) > 1 for card in cards) else cards
