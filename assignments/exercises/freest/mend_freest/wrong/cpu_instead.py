# finding: on-the-cpu
import torch


def mend_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    gpu = torch.device("cpu")
    if not free:
        gpu = torch.device("cuda", free.index(max(free)))
    return batch.to(gpu)
