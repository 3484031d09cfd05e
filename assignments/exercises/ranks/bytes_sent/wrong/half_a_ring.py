# finding: only-added-up
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]
