# %% neighbours
# finding: other-weight
def hang():
    return {
        "run": 17,
        "line": 13,
        "cause": "one batch more",
        "change": "mine = range(3 * rank, 3 * rank + 3)",
    }

# %% another_name
# finding: change-raises
def hang():
    return {
        "run": 17,
        "line": 13,
        "cause": "one batch more",
        "change": "mine = range(number, 6, 2)",
    }

# %% data_blamed
# finding: other-line
def hang():
    return {
        "run": 17,
        "line": 12,
        "cause": "one batch more",
        "change": "inputs = torch.ones(6, 2, 1)",
    }

# %% run_nought
# finding: other-run
def hang():
    return {
        "run": 0,
        "line": 13,
        "cause": "one batch more",
        "change": "mine = range(rank, 6, 2)",
    }

# %% as_it_was
# finding: line-as-it-was
def hang():
    return {
        "run": 17,
        "line": 13,
        "cause": "one batch more",
        "change": "mine = range(rank, 5, 2)",
    }

# %% printed
# finding: nothing-returned
def hang():
    print({"run": 17, "line": 13, "cause": "one batch more"})

# %% another_cause
# finding: other-form
def hang():
    return {"run": 17, "line": 13, "cause": "uneven", "change": "mine = range(rank, 6, 2)"}

# %% both_deleted
# finding: other-missing
def hang():
    return {"run": 19, "line": 24, "cause": "other order", "change": "calls = []"}

# %% reduce_deleted
# finding: other-missing
def hang():
    return {"run": 4, "line": 23, "cause": "one rank alone", "change": "pass"}

# %% step_of_nought
# finding: change-raises
def hang():
    return {
        "run": 19,
        "line": 24,
        "cause": "other order",
        "change": "calls = [total, agree][:: 1 - rank]",
    }

# %% all_on_rank_0
# finding: other-waits
def hang():
    return {
        "run": 17,
        "line": 13,
        "cause": "one batch more",
        "change": "mine = range(6) if rank == 0 else []",
    }
