import torch
from torch.utils.data import DataLoader, Dataset


def fix_loader(names, decode, mean, model, device):
    """Return what `model` gives for each picture minus `mean`, as one tensor on `device`."""

    ### BEGIN SOLUTION
    class Pictures(Dataset):
        def __len__(self):
            return len(names)

        def __getitem__(self, index):
            # This runs in a worker, a fork of a process that uses CUDA: there, no line may touch
            # a GPU. So the picture stays on the CPU, and `mean`, which is on the GPU, stays out.
            return decode(names[index])

    settings = {"batch_size": 4, "num_workers": 2, "multiprocessing_context": "fork"}
    batches = DataLoader(Pictures(), **settings)
    # Back in the main process, a whole batch crosses at once, and `mean` is where it is needed.
    return torch.cat([model(batch.to(device) - mean) for batch in batches])
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# model, mean = torch.nn.Linear(3, 2).to(devices[1]), torch.ones(3, device=devices[1])
# fix_loader(["a.jpg", "b.jpg"], lambda name: torch.rand(3), mean, model, devices[1])
