def module_devices(module):
    devices = set()
    for parameter in module.parameters():
        devices.add(str(parameter.device))
    for buffer in module.buffers():
        devices.add(str(buffer.device))
    return devices
