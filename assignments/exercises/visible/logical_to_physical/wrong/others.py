# %% a_dict
# finding: other-form
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return dict(enumerate(cards))

# %% all_or_nothing
# finding: all-or-nothing
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            return []
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% backwards
# finding: order-lost
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.insert(0, int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% brackets_taken_off
# finding: no-number
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.strip("[]").split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% counted_from_one
# finding: missing-card-kept
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) > n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% digits_picked_out
# finding: no-number
import re


def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for number in map(int, re.findall(r"-?\d+", value)):
        if not 0 <= number < n_physical:
            break
        cards.append(number)
    return cards if len(set(cards)) == len(cards) else []

# %% filtered
# finding: missing-card-passed-over
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    entries = [entry.strip() for entry in value.split(",")]
    numbers = [int(entry) for entry in entries if entry.isdigit()]
    return [number for number in numbers if number < n_physical]

# %% int_of_empty
# finding: no-number
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        if int(entry) >= n_physical:
            break
        cards.append(int(entry))
    return cards

# %% last_card_left_out
# finding: cards-wrong
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical - 1:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% negative_from_the_end
# finding: negative-kept
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if number.startswith("-"):
            number = str(n_physical + int(number))
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% negative_skipped
# finding: negative-passed-over
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if number.startswith("-"):
            continue
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% none_for_unset
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

# %% nothing_for_unset
# finding: unset
def logical_to_physical(value, n_physical):
    if value is None:
        return []
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% repeats_counted_everywhere
# finding: repeat-after-the-end
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    entries = [entry.strip() for entry in value.split(",")]
    if len(set(entries)) < len(entries):
        return []
    cards = []
    for entry in entries:
        if not entry.isdigit() or int(entry) >= n_physical:
            break
        cards.append(int(entry))
    return cards

# %% spaces_not_stripped
# finding: spaces
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []

# %% split_only
# finding: unset
def logical_to_physical(value, n_physical):
    return [int(entry) for entry in value.split(",")]

# %% texts
# finding: other-form
def logical_to_physical(value, n_physical):
    if value is None:
        return [str(number) for number in range(n_physical)]
    return [entry.strip() for entry in value.split(",")]

# %% twice_kept
# finding: named-twice
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards

# %% twice_once
# finding: named-twice
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    return list(dict.fromkeys(cards))

# %% words_passed_over
# finding: no-number
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        if not number.lstrip("-").isdigit():
            continue
        if number.startswith("-") or int(number) >= n_physical:
            break
        cards.append(int(number))
    return cards if len(set(cards)) == len(cards) else []
