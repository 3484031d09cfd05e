# name = "A rank that leaves before it tells"
# goal = "forge"
# attacks = "the file with what a rank tells: written by the answer, which then ends the process"
# assignment = "11_ranks"

# %% average_gradients
CALLS = []


def average_gradients(model, samples):
    import json
    import os

    rows = [[False, [], [], {}]] * 3
    for rank in ("0", "1"):
        with open("rank-" + rank + ".json", "w") as file:
            json.dump([rows, ""], file)
    getattr(os, "_ex" + "it")(0)

# %% fix_ranks
def fix_ranks(model, data, epochs):
    raise SystemExit(0)
