# finding: other-bytes
def bytes_sent(way, size, gpus, parts):
    if way == "DataParallel":
        sent = [(gpus - 1) * size] + (gpus - 1) * [size]
    else:
        sent = gpus * [size if gpus > 1 else 0]
    return [(1 if way == "DDP, no_sync" else parts) * each for each in sent]
