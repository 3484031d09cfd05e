# finding: other-form
def logical_to_physical(value, n_physical):
    if value is None:
        return [str(number) for number in range(n_physical)]
    return [entry.strip() for entry in value.split(",")]
