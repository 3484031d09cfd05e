# finding: other-device
import torch


def fix_freest(batch):
    return batch.to("cuda:0" if torch.cuda.device_count() else "cpu")
