# finding: empty-module
def module_devices(module):
    devices = {str(next(module.parameters()).device)}
    return devices | {str(t.device) for t in [*module.parameters(), *module.buffers()]}
