import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = "cuda:0" if torch.cuda.device_count() else "cpu"
    model = nn.DataParallel(net.to(device)) if torch.cuda.device_count() > 1 else net.to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    data, goals = (tensor.to(device) for tensor in (inputs, labels))
    for _ in range(epochs):
        loss = ((model(data) - goals) ** 2).mean()
        model.zero_grad()
        loss.backward()
        optimizer.step()
    state = model.state_dict()
    return {key.removeprefix("module."): value.detach().to("cpu") for key, value in state.items()}
