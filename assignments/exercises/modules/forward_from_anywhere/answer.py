from itertools import chain


def forward_from_anywhere(module, x, back):
    """Return module(x), computed where the module is.

    back: whether the result is wanted on the device of x.
    """
    ### BEGIN SOLUTION
    # Choose: any tensor of the module tells where it is, and x stands in where there is none.
    device = next(chain(module.parameters(), module.buffers(), [x])).device
    # Move and run. `to` does nothing, and copies nothing, where x is there already.
    result = module(x.to(device))
    # Bring back.
    return result.to(x.device) if back else result
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# from course_utils.experiments.copies import count_copies
#
# net = nn.Linear(2, 1).to(devices[1])
# with count_copies() as copies:
#     y = forward_from_anywhere(net, torch.ones(3, 2, device=devices[2]), back=True)
# print(y.device, copies.by_route)
