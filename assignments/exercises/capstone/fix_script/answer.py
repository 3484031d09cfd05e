import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    """Train `net` on all visible GPUs, and return its weights, on the CPU."""
    ### BEGIN SOLUTION
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    # What every epoch uses goes to the GPU once. `to` returns the tensors that are there.
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    # The bare module has the names that everybody expects, and its file no tag of a GPU.
    return net.cpu().state_dict()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# net = nn.Linear(3, 2)
# weights = fix_script(net, torch.randn(16, 3), torch.randn(16, 2), epochs=2)
# print({key: tensor.device for key, tensor in weights.items()})
