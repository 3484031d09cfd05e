# happened = "A cell fills a card and keeps it so."
# %% before fix_mismatch
import torch

kept = []
try:
    while True:
        kept.append(torch.empty(256 << 20, dtype=torch.uint8, device="cuda:1"))
except torch.OutOfMemoryError:
    print(len(kept))
