# finding: all-reserved
def given_back(snapshot, device):
    return sum(s["total_size"] for s in snapshot if s["device"] == device.index)
