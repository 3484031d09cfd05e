# finding: nothing-returned
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    for epoch in killed:
        begun += range(saved + 1, epoch + 1)
        saved = (epoch - 1) // every * every
    print(begun + list(range(saved + 1, epochs + 1)))
