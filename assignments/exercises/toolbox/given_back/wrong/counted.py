# finding: segments-not-bytes
def given_back(snapshot, device):
    return len([
        s
        for s in snapshot
        if s["device"] == device.index and all(b["state"] == "inactive" for b in s["blocks"])
    ])
