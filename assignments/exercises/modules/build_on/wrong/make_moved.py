# finding: make-not-called
def build_on(make, device):
    return make.to(device)()
