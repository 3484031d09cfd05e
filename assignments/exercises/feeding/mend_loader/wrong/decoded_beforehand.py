# finding: other-workers
import torch
from torch.utils.data import DataLoader


def mend_loader(names, decode, mean, model, device):
    pictures = [decode(name) for name in names]
    loader = DataLoader(pictures, batch_size=4, num_workers=2, multiprocessing_context="fork")
    return torch.cat([model(batch.to(device) - mean) for batch in loader])
