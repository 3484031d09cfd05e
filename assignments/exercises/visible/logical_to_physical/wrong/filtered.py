# finding: missing-card-passed-over
def logical_to_physical(value, n_physical):
    if value is None:
        return list(range(n_physical))
    entries = [entry.strip() for entry in value.split(",")]
    numbers = [int(entry) for entry in entries if entry.isdigit()]
    return [number for number in numbers if number < n_physical]
