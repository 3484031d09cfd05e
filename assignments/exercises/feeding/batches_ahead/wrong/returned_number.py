# finding: other-form
def batches_ahead(loader, device):
    return sum(1 for batch in loader)
