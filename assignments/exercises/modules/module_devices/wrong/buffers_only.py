# finding: nothing-collected
def module_devices(module):
    return {str(buffer.device) for buffer in module.buffers()}
