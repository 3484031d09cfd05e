# finding: overwrite-flag
def after_to(device, dtype, arguments, flag):
    wanted = arguments.get("dtype", dtype)
    if "int" in wanted:
        return "TypeError"
    stays = arguments.get("device", device) == device
    kept = flag != "overwrite"
    unchanged = stays and wanted == dtype
    same = {"net": True, "weight": kept, "memory": unchanged, "mean": unchanged,
            "counter": stays, "optimizer": kept}
    same["weight"] = same["optimizer"] = kept or unchanged
    return same
