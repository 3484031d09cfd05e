def epochs_trained(epochs, every, killed):
    saves = [epoch for epoch in range(1, epochs + 1) if not epoch % every]
    begun = ()
    first = 1
    for kill in killed:
        begun += tuple(range(first, kill + 1))
        first = max([epoch for epoch in saves if epoch < kill], default=0) + 1
    return begun + tuple(range(first, epochs + 1))
