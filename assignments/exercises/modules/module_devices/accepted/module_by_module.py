def module_devices(module):
    found = set()
    for part in module.modules():
        tensors = [*part._parameters.values(), *part._buffers.values()]
        found |= {str(tensor.device) for tensor in tensors if tensor is not None}
    return found
