def bytes_sent(way, size, gpus, parts):
    sent = [0] * gpus

    def trip():
        for _ in range(1, gpus):
            for gpu in range(gpus):
                sent[gpu] += size // gpus

    for part in range(parts):
        if way == "DataParallel":
            for gpu in range(1, gpus):
                sent[0] += size
                sent[gpu] += size
        elif way == "FSDP2":
            for _ in ("forward", "backward", "gradients"):
                trip()
        elif way == "DDP" or part == parts - 1:
            trip()
            trip()
    return tuple(sent)
