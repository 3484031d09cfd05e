import re

CAUSES = [
    (r"Cannot re-initialize CUDA", "cuda"),
    (r"cannot pin '", "pin"),
    (r"shared memory", "memory"),
    (r"[Cc]an(no|')t pickle", "pickle"),
    (r"num_workers > 0", "settings"),
    (r"exited unexpectedly|is killed by signal", "killed"),
    (r"Caught \w+ in DataLoader worker process", "own code"),
]


def read_worker_error(message):
    found = [cause for pattern, cause in CAUSES if re.search(pattern, message)]
    numbers = re.findall(r"worker process (\d+)", message)
    if not found:
        return None
    return {"cause": found[0], "worker": int(numbers[0]) if numbers else None}
