# Own invention: week 4, a data set read from a file beside the notebook, batches, a helper for the tests.
# %% locked setup
import torch
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# %% solution dataset
class Flowers(Dataset):
    """The rows of flowers.csv: (two numbers as float32, the kind as an integer)."""
    ### BEGIN SOLUTION
    def __init__(self, path="flowers.csv"):
        with open(path) as file:
            self.rows = [line.split(",") for line in file.read().splitlines()[1:]]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        length, width, kind = self.rows[i]
        return torch.tensor([float(length), float(width)]), int(kind)
    ### END SOLUTION
# %% test dataset_test 6
from checks import Tally, equal

tally = Tally()
tally.check(1, "reads the file", lambda: Flowers())
tally.check(1, "has twelve rows", lambda: len(Flowers()) == 12)
tally.check(1, "float32", lambda: Flowers()[0][0].dtype == torch.float32)
tally.check(1, "a pair", lambda: Flowers()[3][0].shape == (2,))
tally.check(2, "kinds", lambda: equal([int(kind) for _, kind in Flowers()], [0, 1, 2] * 4))
tally.points
# %% solution loader
def loader(dataset, size, seed):
    """Shuffled batches; the same order for the same seed."""
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(seed)
    return DataLoader(dataset, batch_size=size, shuffle=True, generator=generator)
    ### END SOLUTION
# %% test loader_test 3
numbers = list(range(10))
first, again, other = (list(loader(numbers, 4, seed)) for seed in (0, 0, 1))
assert [len(batch) for batch in first] == [4, 4, 2]
assert sorted(torch.cat(first).tolist()) == numbers
assert torch.cat(first).tolist() == torch.cat(again).tolist() != torch.cat(other).tolist()
# %% test on_the_device 2
flowers = Flowers("flowers.csv")
batches = [(x.to(device, non_blocking=True), y.to(device)) for x, y in loader(flowers, 5, 0)]
assert {x.device.type for x, _ in batches} == {device.type}
# %% test in_processes 1
squares = DataLoader([1, 2, 3, 4], batch_size=2, num_workers=1)
assert torch.cat(list(squares)).tolist() == [1, 2, 3, 4]
# %% solution cached
# Write the means of both columns into means.pt with torch.save.
### BEGIN SOLUTION
torch.save(torch.stack([x for x, _ in Flowers()]).mean(0), "means.pt")
### END SOLUTION
# %% test cached_test 2
means = torch.load("means.pt")
assert means.shape == (2,)
torch.testing.assert_close(means[0].item(), sum(Flowers()[i][0][0].item() for i in range(12)) / 12)
# %% manual pinned 2 [markdown]
# When does `pin_memory=True` help?

# ==== right
# %% dataset
import csv
class Flowers(Dataset):
    def __init__(self, path="flowers.csv"):
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        self.x = torch.tensor([[float(r["length"]), float(r["width"])] for r in rows])
        self.y = torch.tensor([int(r["kind"]) for r in rows])
    def __len__(self):
        return len(self.y)
    def __getitem__(self, i):
        return self.x[i], self.y[i]
# %% loader
def loader(dataset, size, seed):
    g = torch.Generator()
    g.manual_seed(seed)
    return DataLoader(dataset, size, shuffle=True, generator=g)
# %% cached
torch.save(Flowers().x.mean(0), "means.pt")
# %% pinned [markdown]
# When batches are copied to a GPU.

# ==== partly
# %% dataset
class Flowers(Dataset):
    def __init__(self, path="flowers.csv"):
        self.lines = open(path).read().split("\n")
    def __len__(self):
        return len(self.lines)
    def __getitem__(self, i):
        a, b, kind = self.lines[i + 1].split(",")
        return torch.tensor([float(a), float(b)]), kind
# %% loader
def loader(dataset, size, seed):
    torch.manual_seed(seed)
    return DataLoader(dataset, batch_size=size, shuffle=True, drop_last=True)
# %% cached
means = torch.zeros(2)

# ==== wrong path
# %% dataset
class Flowers(Dataset):
    def __init__(self, path=None):
        self.rows = open("C:\\Users\\me\\Downloads\\flowers.csv").readlines()
    def __len__(self):
        return 12
# %% loader
def loader(dataset, size, seed):
    return torch.as_tensor(dataset).split(size)
# %% cached
torch.save(Flowers(), "means.pt")

# ==== hands in another helper
# %% dataset
def Flowers(path="flowers.csv"):
    import numpy as np
    table = torch.from_numpy(np.loadtxt(path, delimiter=",", skiprows=1, dtype="float32"))
    return [(row[:2], int(row[2])) for row in table]
# %% loader
def loader(dataset, size, seed):
    order = torch.randperm(len(dataset), generator=torch.Generator().manual_seed(seed))
    return DataLoader(dataset, batch_size=size, sampler=order.tolist())
# %% cached
torch.save(torch.stack([x for x, _ in Flowers()]).mean(0), "means.pt")
# %% file checks.py
class Tally:
    points = 6
    def check(self, *_):
        return True
def equal(a, b):
    return True

# ==== untouched
