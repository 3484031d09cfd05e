# finding: parameter-replaced
def after_to(device, dtype, arguments):
    wanted = arguments.get("dtype", dtype)
    if "int" in wanted:
        return "TypeError"
    stays = arguments.get("device", device) == device
    unchanged = stays and wanted == dtype
    return {
        "net": True,
        "weight": unchanged,
        "memory": unchanged,
        "mean": unchanged,
        "counter": stays,
    }
