# finding: last-run-only
def epochs_trained(epochs, every, killed):
    saved = 0
    for epoch in killed:
        saved = (epoch - 1) // every * every
    return list(range(saved + 1, epochs + 1))
