def module_devices(module):
    parameters = {str(p.device) for p in module.parameters()}
    return parameters | {str(b.device) for b in module.buffers()}
