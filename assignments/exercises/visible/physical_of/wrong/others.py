# %% around_the_corner
# finding: not-refused
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda":
        raise ValueError(f"{device} does not exist")
    return cards[place % len(cards)]

# %% asserted
# finding: other-error
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    assert kind == "cuda" and place < len(cards), device
    return cards[place]

# %% counted_from_one
# finding: another-card
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place - 1]

# %% cpu_is_none
# finding: other-type
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    if device == "cpu":
        return None
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% cuda_by_split
# finding: index-missing
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind = device.split(":")[0]
    place = int(device.split(":")[1])
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% cuda_is_any
# finding: refused-needlessly
def physical_of(value, device, n_physical):
    cards = list(range(n_physical)) if value is None else [int(c) for c in value.split(",")]
    index = int(device.partition(":")[2] or 0)
    if index not in cards:
        raise ValueError(f"{device} is not visible")
    return cards[index]

# %% cuda_refused
# finding: index-missing
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    if not number:
        raise ValueError(f"{device} has no number")
    place = int(number)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% every_type
# finding: other-type
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% index_error
# finding: other-error
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda":
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% list_index
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

# %% missing_cards_left_out
# finding: list-not-ended
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            continue
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% no_name
# finding: message
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError("no such device")
    return cards[place]

# %% one_digit
# finding: one-digit
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number[-1:] or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% sorted_as_texts
# finding: order-lost
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return int(sorted(map(str, cards))[place])

# %% text_of_the_card
# finding: other-form
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return str(cards[place])

# %% the_given_one
# finding: refused-needlessly
def physical_of(value, device, n_physical):
    cards = sorted(value.split(","))
    number = device[-1]
    if number not in cards:
        raise ValueError("no such card")
    return number

# %% twice_kept
# finding: list-not-ended
def physical_of(value, device, n_physical):
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]

# %% unchanged
# finding: order-lost
def physical_of(value, device, n_physical):
    cards = sorted(int(card) for card in value.split(","))
    number = int(device[-1])
    if number >= len(cards):
        raise ValueError(f"no {device}")
    return cards[number]

# %% unset_means_none
# finding: unset
def physical_of(value, device, n_physical):
    entries = (value or "").split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist")
    return cards[place]
