# finding: saved-epoch-again
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    for epoch in killed:
        begun += range(saved + 1, epoch + 1)
        saved = max((epoch - 1) // every * every - 1, 0)
    return begun + list(range(saved + 1, epochs + 1))
