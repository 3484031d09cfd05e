# finding: buffers-missed
def module_devices(module):
    return {str(parameter.device) for parameter in module.parameters()}
