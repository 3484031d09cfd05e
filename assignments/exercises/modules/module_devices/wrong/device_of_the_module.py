# finding: no-device-attribute
def module_devices(module):
    return {str(module.device)}
