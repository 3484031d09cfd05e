import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode):
        self.names, self.decode = names, decode

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index])


def fix_loader(names, decode, mean, model, device):
    settings = dict(batch_size=4, num_workers=2, multiprocessing_context="fork")
    outputs = []
    with torch.no_grad():
        for batch in DataLoader(Pictures(names, decode), pin_memory=True, **settings):
            batch = batch.to(device, non_blocking=True)
            outputs.append(model(batch.sub_(mean)))
    return torch.cat(outputs)
