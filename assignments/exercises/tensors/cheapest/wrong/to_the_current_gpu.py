# finding: third-device
def cheapest(a, b):
    return a.cuda() + b.cuda()
