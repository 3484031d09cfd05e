# finding: no-error-here
def after_to(device, dtype, arguments):
    wanted = arguments.get("dtype", dtype)
    if wanted != dtype:
        return "TypeError"
    stays = arguments.get("device", device) == device
    unchanged = stays and wanted == dtype
    return {
        "net": True,
        "weight": True,
        "memory": unchanged,
        "mean": unchanged,
        "counter": stays,
    }
