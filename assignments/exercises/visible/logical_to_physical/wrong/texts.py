# finding: wrong-form
def logical_to_physical(value, n_physical):
    return value.split(",")
