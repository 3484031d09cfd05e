# finding: other-number
def given_back(snapshot, device):
    return sum(s["total_size"] for s in snapshot
               if s["device"] == device.index and s["total_size"] > 2 * 2**20 and all(b["state"] == "inactive" for b in s["blocks"]))
