# finding: nothing-counted
def given_back(snapshot, device):
    return sum(
        s["total_size"]
        for s in snapshot
        if s["device"] == device and all(b["state"] == "inactive" for b in s["blocks"])
    )
