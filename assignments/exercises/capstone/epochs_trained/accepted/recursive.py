def epochs_trained(epochs, every, killed, first=1):
    if not killed:
        return list(range(first, epochs + 1))
    kill, *later = killed
    done = kill - 1
    return list(range(first, kill + 1)) + epochs_trained(
        epochs, every, later, done - done % every + 1
    )
