import torch
from torch.utils.data import DataLoader


def fix_loader(names, decode, mean, model, device):
    # A list of names is a dataset as well; workers decode where they put a batch together.
    def together(some):
        return torch.stack([decode(name) for name in some])

    loader = DataLoader(
        names, 4, num_workers=2, collate_fn=together, multiprocessing_context="fork",
        persistent_workers=True, prefetch_factor=1,
    )
    result = []
    for batch in loader:
        shifted = batch.cuda(device).add(mean, alpha=-1)
        result.extend(model(shifted))
    return torch.stack(result)
