# finding: in-use-instead
def given_back(snapshot, device):
    return sum(
        s["total_size"]
        for s in snapshot
        if s["device"] == device.index and any(b["state"] != "inactive" for b in s["blocks"])
    )
