# finding: everything-same
def after_to(device, dtype, arguments):
    wanted = arguments.get("dtype", dtype)
    if "int" in wanted:
        return "TypeError"
    stays = arguments.get("device", device) == device
    unchanged = stays and wanted == dtype
    return {
        "net": True,
        "weight": True,
        "memory": True,
        "mean": True,
        "counter": True,
    }
