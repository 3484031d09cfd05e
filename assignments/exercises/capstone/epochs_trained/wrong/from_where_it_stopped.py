# finding: nothing-lost
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    for epoch in killed:
        begun += range(saved + 1, epoch + 1)
        saved = epoch - 1
    return begun + list(range(saved + 1, epochs + 1))
