# finding: wrong-form
def check_wrap(param_devices, device_ids, n_visible):
    if device_ids is None:
        device_ids = list(range(n_visible))
    return all(place == f"cuda:{device_ids[0]}" for place in param_devices)
