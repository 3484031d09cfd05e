def bytes_sent(way, size, gpus, parts):
    share = (gpus - 1) / gpus
    if way == "DDP":
        return [2 * share * size * parts] * gpus
    if way == "DDP, no_sync":
        return [2 * share * size] * gpus
    if way == "FSDP2":
        return [3 * share * size * parts] * gpus
    return [parts * size * ((gpus - 1) if gpu == 0 else 1) for gpu in range(gpus)]
