# finding: message
def physical_of(value, device, n_physical):
    cards = list(range(n_physical))
    if value is not None:
        cards = []
        for entry in value.split(","):
            if not entry.strip().isdigit() or int(entry) >= n_physical:
                break
            cards.append(int(entry))
        if len(set(cards)) < len(cards):
            cards = []
    names = [f"cuda:{index}" for index in range(len(cards))]
    wanted = "cuda:0" if device == "cuda" else device
    return cards[names.index(wanted)] if wanted in names else cards[int("none")]
