"""Cases of `bytes_sent`: each way in one part and in several, and the fewest GPUs.

With six GPUs or more, and no fewer than four parts, no two mistakes send the same.
"""

from exercise_kit import Look

looks = (Look("result", "other-bytes", says="bytes sent by each GPU"),)
DP, DDP, QUIET, FSDP = "DataParallel", "DDP", "DDP, no_sync", "FSDP2"


def explain(fact, seen, right, data):
    if fact != "result" or seen["type"] not in ("list", "tuple"):
        return None
    if len(seen["items"]) != data["gpus"]:
        return "other-length"
    return "nobody-to-send-to" if data["gpus"] == 1 else None


def cases(rng):
    def drawn(way, parts=0):
        gpus = rng.randint(6, 8)
        size = 1000 * gpus * rng.randint(2, 20)
        return way, size, gpus, parts or rng.randint(4, 5)

    rows = [
        ("DDP, in one part", *drawn(DDP, 1)),
        ("DDP, in several parts", *drawn(DDP)),
        ("no_sync, in several parts", *drawn(QUIET)),
        ("no_sync, in one part", *drawn(QUIET, 1)),
        ("DataParallel, in one part", *drawn(DP, 1)),
        ("DataParallel, in several parts", *drawn(DP)),
        ("FSDP2, in one part", *drawn(FSDP, 1)),
        ("FSDP2, in several parts", *drawn(FSDP)),
        ("two GPUs and DataParallel", DP, 6000, 2, 3),
        ("two GPUs and a ring", DDP, 6000, 2, 3),
        ("two GPUs and FSDP2", FSDP, 6000, 2, 3),
        ("one GPU and DataParallel", DP, 6000, 1, 2),
        ("one GPU and a ring", DDP, 6000, 1, 2),
        ("one GPU and FSDP2", FSDP, 6000, 1, 2),
        ("the task's first example", DDP, 8000, 4, 1),
        ("the task's second example", DP, 8000, 2, 2),
    ]
    names = "way", "size", "gpus", "parts"
    return [(title, dict(zip(names, row, strict=True))) for title, *row in rows]
