# finding: gpu-asked
import torch
def given_back(snapshot, device):
    torch.cuda.empty_cache()
    return sum(s["total_size"] for s in snapshot
               if s["device"] == device.index and all(b["state"] == "inactive" for b in s["blocks"]))
