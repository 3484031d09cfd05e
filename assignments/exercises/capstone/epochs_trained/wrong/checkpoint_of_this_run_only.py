# finding: earlier-checkpoint-forgotten
def epochs_trained(epochs, every, killed):
    begun, first = [], 1
    for last in killed:
        saved = 0
        for epoch in range(first, last + 1):
            begun.append(epoch)
            if epoch < last and epoch % every == 0:
                saved = epoch
        first = saved + 1
    return begun + list(range(first, epochs + 1))
