# %% further_ahead
def starved():
    return {
        "run": 9,
        "line": 4,
        "cause": "uneven batches",
        "change": 'prefetch_factor = 4',
    }

# %% a_sum_without_detach
def starved():
    return {
        "run": 2,
        "line": 13,
        "cause": "read",
        "change": 'total += loss',
    }

# %% all_workers
def starved():
    return {
        "run": 3,
        "line": 5,
        "cause": "too few workers",
        "change": 'workers = 8',
    }

# %% one_more_keyword
def starved():
    return {
        "run": 4,
        "line": 10,
        "cause": "blocking copy",
        "change": 'inputs = batch.to(device, non_blocking=True)',
    }
