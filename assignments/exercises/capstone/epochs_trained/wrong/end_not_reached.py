# finding: unfinished-epoch-saved
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    for epoch in killed:
        begun += range(saved + 1, epoch + 1)
        saved = epoch // every * every
    return begun + list(range(saved + 1, epochs + 1))
