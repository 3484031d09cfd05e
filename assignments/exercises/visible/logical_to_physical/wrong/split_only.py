# finding: unset
def logical_to_physical(value, n_physical):
    return [int(entry) for entry in value.split(",")]
