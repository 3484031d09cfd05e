# finding: other-form
import torch


def mend_spread(parts, gpus):
    return [torch.device("cuda", i) if i < gpus else torch.device("cpu")
            for i, part in enumerate(parts)]
