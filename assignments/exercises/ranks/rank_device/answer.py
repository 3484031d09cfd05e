import torch


def rank_device(environ, accelerator):
    """Return the device of this process; raise ValueError if there is none for it."""
    ### BEGIN SOLUTION
    if not accelerator.is_available():
        return torch.device("cpu")
    # RANK counts over all machines, and would point behind the last device of this one.
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= accelerator.device_count():
        raise ValueError(f"process {number} of this machine has no device of its own.")
    return torch.device(accelerator.current_accelerator().type, number)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# print(rank_device({"LOCAL_RANK": "1"}, torch.accelerator))
