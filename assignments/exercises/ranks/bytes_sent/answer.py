def bytes_sent(way, size, gpus, parts):
    """Return how many bytes each GPU sends in one training step."""
    ### BEGIN SOLUTION
    others = gpus - 1
    if way == "DataParallel":
        # GPU 0 sends the parameters to each of the others, and each of them sends its gradients back.
        sent = [others * size] + others * [size]
    else:
        # In a round, each GPU sends one piece. It takes `others` rounds to add up or to gather:
        # DDP does one after the other; FSDP2 gathers twice and adds up once.
        rounds = 3 * others if way == "FSDP2" else 2 * others
        sent = gpus * [rounds * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# for way in ("DataParallel", "DDP", "DDP, no_sync", "FSDP2"):
#     print(way, bytes_sent(way, 1_200, gpus=3, parts=2))
