# finding: other-form
def epochs_trained(epochs, every, killed):
    begun, saved = [], 0
    for epoch in killed:
        begun += range(saved + 1, epoch + 1)
        saved = (epoch - 1) // every * every
    return len(begun) + epochs - saved
