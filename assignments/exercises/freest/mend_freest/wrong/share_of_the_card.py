# finding: total-counted
import torch


def mend_freest(batch):
    pairs = [torch.cuda.mem_get_info(index) for index in range(torch.cuda.device_count())]
    if not pairs:
        return batch.cpu()
    shares = [free / total for free, total in pairs]
    return batch.to(torch.device("cuda", shares.index(max(shares))))
