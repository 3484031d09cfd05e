import torch


def timed(work, device):
    """Return the ms of work() on `device`, from mark to mark, after one call to warm up."""
    ### BEGIN SOLUTION
    work()  # the first call can be slow
    with torch.cuda.device(device):  # events and the wait are about the current GPU
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        work()
        end.record()
        torch.cuda.synchronize()
    return start.elapsed_time(end)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# big = torch.ones(2000, 2000, device=devices[1])
# print(timed(lambda: big @ big, devices[1]), "ms")
