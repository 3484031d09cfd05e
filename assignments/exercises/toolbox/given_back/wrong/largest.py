# finding: largest-only
def given_back(snapshot, device):
    found = [
        s["total_size"]
        for s in snapshot
        if s["device"] == device.index and all(b["state"] == "inactive" for b in s["blocks"])
    ]
    return max(found, default=0)
