import torch


def noise(seed, count, devices):
    """Return a tensor of `count` normal numbers for each of `devices`, repeatable by `seed`."""
    ### BEGIN SOLUTION
    tensors = []
    for number, device in enumerate(devices):
        # A generator of its own for each device: no default generator hears of it. The same seed
        # would give the same numbers on every GPU, so each has a different one. (A factor keeps
        # the seeds of one call apart from those of another.)
        generator = torch.Generator(device=device).manual_seed(1000 * seed + number)
        tensors.append(torch.randn(count, generator=generator, device=device))
    return tensors
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# before = torch.cuda.get_rng_state_all()
# for tensor in noise(7, 3, [*devices[:2], torch.device("cpu")]):
#     print(tensor)
# print([state.equal(old) for state, old in zip(torch.cuda.get_rng_state_all(), before)])
