def given_back(snapshot, device):
    mine = (s for s in snapshot if s["device"] == device.index)
    return sum(s["total_size"] for s in mine if sum(
        b["size"] for b in s["blocks"] if b["state"] != "inactive") == 0)
