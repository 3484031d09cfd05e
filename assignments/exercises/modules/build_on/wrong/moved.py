# finding: moved-afterwards
def build_on(make, device):
    return make().to(device)
