# finding: cpu-generator-changed
import torch


def noise(seed, count, devices):
    tensors = []
    gpus = torch.cuda.get_rng_state_all()
    for number, device in enumerate(devices):
        torch.manual_seed(seed + number)
        tensors.append(torch.randn(count).to(device))
    torch.cuda.set_rng_state_all(gpus)
    return tensors
