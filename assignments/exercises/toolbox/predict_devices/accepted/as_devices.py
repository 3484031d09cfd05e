import torch


def predict_devices(program):
    stack, places = [0], []
    for kind, *rest in program:
        match kind:
            case "set":
                stack[-1] = rest[0]
            case "with":
                stack.append(rest[0])
            case "end":
                stack.pop()
            case "new":
                device = torch.device(rest[0])
                if device.type == "cuda" and device.index is None:
                    device = torch.device("cuda", stack[-1])
                places.append(device)
            case "double":
                places.append(places[rest[0]])
    return places
