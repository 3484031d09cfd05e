# finding: refused-needlessly
def physical_of(value, device, n_physical):
    cards = sorted(value.split(","))
    number = device[-1]
    if number not in cards:
        raise ValueError("no such card")
    return number
