# finding: no-device-attribute
def assert_on(module, device):
    if module.device != device:
        raise ValueError("the module is elsewhere")
