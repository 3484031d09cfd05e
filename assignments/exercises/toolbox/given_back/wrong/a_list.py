# finding: other-form
def given_back(snapshot, device):
    return [
        s["total_size"]
        for s in snapshot
        if s["device"] == device.index and all(b["state"] == "inactive" for b in s["blocks"])
    ]
