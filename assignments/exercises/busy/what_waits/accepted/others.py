# %% one_multiplication
def what_waits():
    return {
        "run": 1,
        "line": 11,
        "cause": "compute",
        "change": "hidden = torch.matmul(batch @ weight, weight)",
    }

# %% sum_on_the_gpu
def what_waits():
    return {
        "run": 2,
        "line": 14,
        "cause": "read",
        "change": "total += loss.sum()",
    }
