import torch


def fix_freest(batch):
    """Return the batch on the visible GPU that has the most free memory, or on the CPU."""
    ### BEGIN SOLUTION
    # The pairs also hold the size of the card, which must not count.
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    device = torch.device("cpu")
    if free:
        device = torch.device("cuda", free.index(max(free)))
    return batch.to(device)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# for index in range(torch.cuda.device_count()):
#     print(index, torch.cuda.mem_get_info(index))
# print(fix_freest(torch.ones(2, 3)).device)
