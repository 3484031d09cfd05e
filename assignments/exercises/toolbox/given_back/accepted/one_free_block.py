def given_back(snapshot, device):
    return sum(s["total_size"] for s in snapshot
               if s["device"] == device.index and len(s["blocks"]) == 1 and s["blocks"][0]["state"] == "inactive")
