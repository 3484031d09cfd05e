# finding: another-cause
import re


def read_worker_error(message):
    causes = {
        "Cannot re-initialize CUDA": "settings",
        "cannot pin '": "pin",
        "shared memory": "memory",
        "pickle": "pickle",
        "num_workers > 0": "settings",
        "exited unexpectedly": "killed",
        "is killed by signal": "killed",
        "in DataLoader worker process": "own code",
    }
    worker = re.search(r"worker process (\d+)", message)
    for words, cause in causes.items():
        if words in message:
            return {"cause": cause, "worker": int(worker.group(1)) if worker else None}
    return None
