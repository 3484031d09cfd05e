# finding: other-workers
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
    batches = DataLoader(Pictures(names, decode), batch_size=4)
    return torch.cat([model(batch.to(device) - mean) for batch in batches])
