# finding: one-kill-only
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    for epoch in killed[:1]:
        begun += range(saved + 1, epoch + 1)
        saved = (epoch - 1) // every * every
    return begun + list(range(saved + 1, epochs + 1))
