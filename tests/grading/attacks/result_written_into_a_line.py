# name = "A result, written into the line that should be repaired"
# goal = "forge"
# attacks = "what the changed program did: a line can do more than one thing"
# assignment = "11_ranks"
# forges = ["hang"]
# flagged = true

# %% hang
def hang():
    return {
        "run": 6,
        "line": 13,
        "cause": "one batch more",
        "change": "mine, loss = [], count; net.weight.data.fill_(0.9865344954); "
        "used.extend(range(rank, 6, 2))",
    }
