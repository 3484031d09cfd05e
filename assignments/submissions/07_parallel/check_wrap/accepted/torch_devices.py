import torch


def check_wrap(param_devices, device_ids, n_visible):
    if not n_visible:
        return
    ids = list(range(n_visible)) if device_ids is None else device_ids
    if not set(ids) <= set(range(n_visible)):
        return "Invalid device id"
    main = torch.device("cuda", ids[0])
    elsewhere = [place for place in param_devices if torch.device(place) != main]
    if elsewhere and len(ids) > 1:
        return (
            f"module must have its parameters and buffers on device {main} (device_ids[0]) but "
            f"found one of them on device: {elsewhere[0]}"
        )
