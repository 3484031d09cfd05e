# finding: other-form
import torch


def mend_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    return torch.device("cuda", free.index(max(free))) if free else torch.device("cpu")
