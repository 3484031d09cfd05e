# finding: operand-not-exempt
def cheapest(a, b):
    if a.numel() == 1 and not a.is_cuda or b.numel() == 1 and not b.is_cuda:
        return a + b
    if a.nbytes < b.nbytes:
        return a.to(b.device) + b
    return a + b.to(a.device)
