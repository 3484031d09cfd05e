# finding: other-device
import torch


def mend_freest(batch):
    free = [str(torch.cuda.mem_get_info(i)[0] // 2**20) for i in range(torch.cuda.device_count())]
    if not free:
        return batch
    return batch.to(torch.device("cuda", free.index(max(free))))
