# finding: gradients-wait
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        return [parts * others * size] + others * [parts * size]
    if way == "FSDP2":
        return gpus * [(2 * parts + 1) * others * size // gpus]
    return gpus * [(1 if way == "DDP, no_sync" else parts) * 2 * others * size // gpus]
