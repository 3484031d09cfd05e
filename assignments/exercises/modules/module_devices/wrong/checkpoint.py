# finding: checkpoint-asked
def module_devices(module):
    return {str(tensor.device) for tensor in module.state_dict().values()}
