# finding: one-parameter-asked
def module_devices(module):
    first = next(module.parameters(), None)
    return set() if first is None else {str(first.device)}
