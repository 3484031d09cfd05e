# finding: each-epoch-once
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    for epoch in killed:
        begun += range(saved + 1, epoch + 1)
        saved = epoch
    return begun + list(range(saved + 1, epochs + 1))
