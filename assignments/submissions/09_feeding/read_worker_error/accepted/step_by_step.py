def read_worker_error(message):
    worker = None
    if "worker process " in message:
        number = message.split("worker process ")[1].split(".")[0]
        worker = int(number) if number.isdigit() else None
    wrapped = "in DataLoader worker process" in message
    dead = "exited unexpectedly" in message or "is killed by signal" in message
    if "Cannot re-initialize CUDA" in message:
        cause = "cuda"
    elif "cannot pin '" in message:
        cause = "pin"
    elif "shared memory" in message:
        cause = "memory"
    elif "pickle" in message:
        cause = "pickle"
    elif "num_workers > 0" in message:
        cause = "settings"
    elif dead:
        cause = "killed"
    elif wrapped:
        cause = "own code"
    else:
        return None
    return {"cause": cause, "worker": worker}
