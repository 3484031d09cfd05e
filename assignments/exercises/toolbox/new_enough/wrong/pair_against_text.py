# outcome: raised
def new_enough(capabilities, needed):
    return [i for i, c in enumerate(capabilities) if c >= needed]
