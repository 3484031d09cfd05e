import torch
from torch import nn


def wrap(model, ids):
    count = torch.cuda.device_count()
    usable = [torch.device(f"cuda:{i}") for i in range(count) if ids is None or i in ids]
    if ids is not None:
        usable.sort(key=lambda device: ids.index(device.index))
    if not usable:
        return model
    tensors = [*model.parameters(), *model.buffers()]
    main, most = usable[0], 0
    for device in usable:
        number = sum(tensor.device == device for tensor in tensors)
        if number > most:
            main, most = device, number
    if len(usable) == 1:
        return model.to(main)
    usable.remove(main)
    return nn.DataParallel(model, device_ids=[main] + usable[::-1], output_device=main).to(main)
