# %% all_but_the_last
# finding: last-part-exchanges
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = parts - 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% all_rings
# finding: no-ring-here
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = gpus * [2 * others * size // gpus]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% alone_it_sends
# finding: nobody-to-send-to
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [max(others, 1) * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% both_directions
# finding: both-directions
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [2 * exchanges * each for each in sent]

# %% copy_to_itself
# finding: sent-to-itself
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [gpus * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% fsdp_one_round_more
# finding: round-too-many
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * size]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% fsdp_whole_tensors
# finding: more-than-a-piece
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% gathered_once
# finding: trips-missing
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [2 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% gathered_only_for_forward
# finding: trips-missing
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% gpus_forgotten
# finding: other-bytes
def bytes_sent(way, size, gpus, parts):
    if way == "DataParallel":
        sent = [(gpus - 1) * size] + (gpus - 1) * [size]
    else:
        sent = gpus * [size if gpus > 1 else 0]
    return [(1 if way == "DDP, no_sync" else parts) * each for each in sent]

# %% gradients_stay
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

# %% gradients_wait
# finding: gradients-wait
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        return [parts * others * size] + others * [parts * size]
    if way == "FSDP2":
        return gpus * [(2 * parts + 1) * others * size // gpus]
    return gpus * [(1 if way == "DDP, no_sync" else parts) * 2 * others * size // gpus]

# %% one_copy
# finding: one-copy-for-all
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [size if others else 0] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% one_gpu
# finding: other-length
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * sent[0]]

# %% one_number
# finding: other-form
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return exchanges * sent[0]

# %% parameters_stay
# finding: parameters-not-sent
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [0] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% parts_forgotten
# finding: parts-forgotten
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1
    return [exchanges * each for each in sent]

# %% reduced_like_ddp
# finding: sum-shared-out
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [4 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% replicas_gradients_wait
# finding: gradients-wait
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        return [parts * others * size] + others * [size]
    rounds = 3 * others if way == "FSDP2" else 2 * others
    return gpus * [(1 if way == "DDP, no_sync" else parts) * rounds * size // gpus]

# %% replicas_kept
# finding: replicas-kept
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        return [others * size] + others * [parts * size]
    rounds = 3 * others if way == "FSDP2" else 2 * others
    exchanges = 1 if way == "DDP, no_sync" else parts
    return gpus * [exchanges * rounds * size // gpus]

# %% share_of_the_model
# finding: share-of-the-model
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size // gpus] + others * [size // gpus]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% sum_sent_out
# finding: results-sent-out
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [2 * others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% without_gpu_0
# finding: other-length
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size // gpus]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]

# %% whole_tensors
# finding: more-than-a-piece
def bytes_sent(way, size, gpus, parts):
    others = gpus - 1
    if way == "DataParallel":
        sent = [others * size] + others * [size]
    elif way == "FSDP2":
        sent = gpus * [3 * others * size // gpus]
    else:
        sent = gpus * [2 * others * size]
    exchanges = 1 if way == "DDP, no_sync" else parts
    return [exchanges * each for each in sent]
