import torch


def predict_to(device, dtype, method, arguments):
    x = torch.empty(1, device=device, dtype=getattr(torch, dtype))
    arguments = dict(arguments)
    if "dtype" in arguments:
        arguments["dtype"] = getattr(torch, arguments["dtype"])
    other = arguments.pop("other", None)
    if other:
        y = x.to(torch.empty(1, device=other[0], dtype=getattr(torch, other[1])), **arguments)
    else:
        y = getattr(x, method)(**arguments)
    return str(y.device), str(y.dtype)[6:], y is x
