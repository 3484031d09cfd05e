# finding: dataset-not-sent
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
    loader = DataLoader(
        Pictures(names, decode), batch_size=4, num_workers=2, multiprocessing_context="spawn"
    )
    return torch.cat([model(batch.to(device) - mean) for batch in loader])
