# finding: gpu-in-a-worker
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, names, decode, mean):
        self.names, self.decode, self.mean = names, decode, mean

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return self.decode(self.names[index]) - self.mean


def fix_loader(names, decode, mean, model, device):
    loader = DataLoader(
        Pictures(names, decode, mean), batch_size=4, num_workers=2, multiprocessing_context="fork"
    )
    return torch.cat([model(batch.to(device)) for batch in loader])
