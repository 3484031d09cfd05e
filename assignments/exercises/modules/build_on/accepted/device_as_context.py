def build_on(make, device):
    with device:
        module = make()
    return module
