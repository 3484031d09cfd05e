# finding: in-use-instead
def given_back(snapshot, device):
    return sum(s["allocated_size"] for s in snapshot if s["device"] == device.index)
