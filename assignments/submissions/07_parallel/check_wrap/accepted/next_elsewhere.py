def check_wrap(param_devices, device_ids, n_visible):
    ids = range(n_visible) if device_ids is None else device_ids
    if n_visible and max(ids) >= n_visible:
        return "Invalid device id"
    if n_visible == 0 or len(ids) == 1:
        return None
    wanted = f"cuda:{ids[0]}"
    found = next((place for place in param_devices if place != wanted), wanted)
    text = "module must have its parameters and buffers on device {} (device_ids[0]) but found one of them on device: {}"
    return None if found == wanted else text.format(wanted, found)
