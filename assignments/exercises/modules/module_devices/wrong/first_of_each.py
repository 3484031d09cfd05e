# finding: empty-module
def module_devices(module):
    return {str(next(tensors).device) for tensors in (module.parameters(), module.buffers())}
