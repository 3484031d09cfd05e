# finding: other-form
def prefetch(loader, device):
    return sum(1 for batch in loader)
