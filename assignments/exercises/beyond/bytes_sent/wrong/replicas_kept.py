# finding: replicas-kept
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        return [others * size] + others * [parts * size]
    rounds = 3 * others if way == "FSDP2" else 2 * others
    exchanges = 1 if way == "DDP, no_sync" else parts
    return gpus * [exchanges * rounds * size // gpus]
