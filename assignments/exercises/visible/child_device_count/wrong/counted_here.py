# finding: not-run
def child_device_count(command, visible):
    return 0 if not visible else len(visible.split(","))
