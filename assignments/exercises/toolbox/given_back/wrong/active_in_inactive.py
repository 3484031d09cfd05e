# finding: nothing-counted
def given_back(snapshot, device):
    return sum(s["total_size"] for s in snapshot
               if s["device"] == device.index and not any("active" in b["state"] for b in s["blocks"]))
