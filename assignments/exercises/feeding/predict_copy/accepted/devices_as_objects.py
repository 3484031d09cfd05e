import numpy as np
import torch


def predict_copy(source, pinned, target, non_blocking):
    source, target = torch.device(source), torch.device(target)
    y = {"device": target, "waits": False, "pinned": False, "risky": np.bool_(False)}
    match source.type, target.type:
        case "cpu", "cuda":
            y["waits"] = not pinned or not non_blocking
        case "cuda", "cpu":
            y["waits"] = not non_blocking
            y["pinned"] = y["risky"] = non_blocking
        case "cpu", "cpu":
            y["pinned"] = pinned
    return y
