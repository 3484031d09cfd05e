import torch


def noise(seed, count, devices):
    """Return a tensor of `count` normal numbers on each of `devices`, the same for the same `seed`."""
    ### BEGIN SOLUTION
    tensors = []
    for number, device in enumerate(devices):
        # Each device has a separate generator, so no default generator changes. The same seed would
        # give the same numbers on every GPU, so each device has a different seed. (With the factor,
        # two calls with different seeds do not share one.)
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
