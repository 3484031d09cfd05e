def epochs_trained(epochs, every, killed):
    begun = []
    saved = 0
    for kill in [*killed, None]:
        for epoch in range(saved + 1, epochs + 1):
            begun.append(epoch)
            if epoch == kill:
                break
            if epoch % every == 0:
                saved = epoch
    return begun
