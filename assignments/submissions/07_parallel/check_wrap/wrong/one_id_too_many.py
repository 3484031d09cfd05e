# finding: id-not-checked
def check_wrap(param_devices, device_ids, n_visible):
    if n_visible == 0:
        return None
    if device_ids is None:
        device_ids = list(range(n_visible))
    if any(number > n_visible for number in device_ids):
        return "Invalid device id"
    if len(device_ids) == 1:
        return None
    wanted = f"cuda:{device_ids[0]}"
    for found in param_devices:
        if found != wanted:
            return (
                f"module must have its parameters and buffers on device {wanted} (device_ids[0]) "
                f"but found one of them on device: {found}"
            )
    return None
