# finding: total-counted
import torch


def fix_freest(batch):
    total = [torch.cuda.mem_get_info(index)[1] for index in range(torch.cuda.device_count())]
    if not total:
        return batch
    return batch.to(torch.device("cuda", total.index(max(total))))
