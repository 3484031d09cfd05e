# finding: integer-dtype
def after_to(device, dtype, arguments, flag):
    stays = arguments.get("device", device) == device
    kept = flag != "overwrite"
    unchanged = stays and arguments.get("dtype", dtype) == dtype
    return {"net": True, "weight": kept, "memory": unchanged, "mean": unchanged,
            "counter": stays, "optimizer": kept}
