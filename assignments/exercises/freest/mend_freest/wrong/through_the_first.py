# finding: copied-elsewhere
import torch


def mend_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch
    batch = batch.to("cuda:0")
    return batch.to(torch.device("cuda", free.index(max(free))))
