# finding: input-changed
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    while killed:
        epoch = killed.pop(0)
        begun += range(saved + 1, epoch + 1)
        saved = (epoch - 1) // every * every
    return begun + list(range(saved + 1, epochs + 1))
