# finding: input-changed
def assert_on(module, device):
    module.to(device)
