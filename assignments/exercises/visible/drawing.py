"""What the cases of this topic draw: cards, and values that name them."""


def some_cards(rng, n_physical, count):
    """`count` different cards, neither in rising nor in falling order (of three or more)."""
    cards = sorted(rng.sample(range(n_physical), count))
    return cards[1:] + cards[:1]


def joined(entries, comma=","):
    return comma.join(map(str, entries))
