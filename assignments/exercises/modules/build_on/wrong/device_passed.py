# finding: make-takes-nothing
def build_on(make, device):
    return make(device=device)
