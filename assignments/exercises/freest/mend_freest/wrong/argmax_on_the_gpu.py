# finding: copied-elsewhere
import torch


def mend_freest(batch):
    free = [torch.cuda.mem_get_info(index)[0] for index in range(torch.cuda.device_count())]
    if not free:
        return batch.cpu()
    return batch.to(torch.device("cuda", torch.tensor(free, device="cuda").argmax().item()))
