def given_back(snapshot, device):
    """Return the bytes that `empty_cache()` would give back from `device`.

    snapshot: as `torch.cuda.memory_snapshot()` returns it. device: a torch.device with an index.
    """
    ### BEGIN SOLUTION
    # The driver takes back whole segments only. One block in use holds all of its segment, however
    # much of it is free.
    return sum(
        segment["total_size"]
        for segment in snapshot
        if segment["device"] == device.index
        and all(block["state"] == "inactive" for block in segment["blocks"])
    )
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# kept = [torch.ones(2**20, device=devices[1]) for _ in range(3)]
# del kept[0]
# print(given_back(torch.cuda.memory_snapshot(), devices[1]))
# kept.clear()
# print(given_back(torch.cuda.memory_snapshot(), devices[1]))
