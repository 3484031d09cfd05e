# finding: other-device
import torch


def mend_freest(batch):
    return batch.to("cuda:0" if torch.cuda.device_count() else "cpu")
