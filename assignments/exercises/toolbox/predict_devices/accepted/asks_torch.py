import torch


def predict_devices(program):
    before = torch.cuda.current_device()
    torch.cuda.set_device(0)
    tensors, blocks = [], []
    for step in program:
        if step[0] == "set":
            torch.cuda.set_device(step[1])
        elif step[0] == "with":
            blocks.append(torch.cuda.device(step[1]))
            blocks[-1].__enter__()
        elif step[0] == "end":
            blocks.pop().__exit__(None, None, None)
        elif step[0] == "new":
            tensors.append(torch.ones(1, device=step[1]))
        else:
            tensors.append(tensors[step[1]] * 2)
    torch.cuda.set_device(before)
    return [str(tensor.device) for tensor in tensors]
