# finding: gradients-wait
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        return [parts * others * size] + others * [size]
    rounds = 3 * others if way == "FSDP2" else 2 * others
    return gpus * [(1 if way == "DDP, no_sync" else parts) * rounds * size // gpus]
