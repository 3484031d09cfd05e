# finding: gradients-not-collected
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [0]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]
