# finding: total-counted
import torch


def mend_freest(batch):
    count = torch.cuda.device_count()
    if count == 0:
        return batch.cpu()
    return batch.to(torch.device("cuda", max(range(count), key=torch.cuda.mem_get_info)))
