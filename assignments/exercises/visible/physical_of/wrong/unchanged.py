# finding: order-lost
def physical_of(value, device, n_physical):
    cards = sorted(int(card) for card in value.split(","))
    number = int(device[-1])
    if number >= len(cards):
        raise ValueError(f"no {device}")
    return cards[number]
