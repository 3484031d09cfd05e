import torch


def positional(n, d, device):
    """Return a float32 table of shape (n, d) on `device`, made there.

    Column 2i of row p holds sin(p / 10000 ** (2i / d)), column 2i + 1 the cosine of the same.
    """
    ### BEGIN SOLUTION
    # Three tensors are created here, and each is told the device. The others are results: they
    # are born where their operands live, so nothing is left to copy.
    position = torch.arange(n, device=device).unsqueeze(1)
    angle = position / 10000 ** (torch.arange(0, d, 2, device=device) / d)
    table = torch.empty(n, d, device=device)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle.cos()
    return table
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# from course_utils.experiments.copies import count_copies
#
# with count_copies() as copies:
#     table = positional(4, 6, devices[1])
# print(table.device, copies.by_route)
