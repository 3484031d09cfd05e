# finding: last-run-missing
def epochs_trained(epochs, every, killed):
    begun, first = [], 1
    for last in killed:
        begun += range(first, last + 1)
        first = (last - 1) // every * every + 1
    return begun or list(range(1, epochs + 1))
