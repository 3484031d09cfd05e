# finding: not-a-device
def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return "cpu"
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= accelerator.device_count():
        raise ValueError("no device")
    return f"{accelerator.current_accelerator().type}:{number}"
