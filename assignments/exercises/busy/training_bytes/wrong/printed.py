# finding: nothing-returned
def training_bytes(model, optimizer, device):
    print(sum(p.nbytes for p in model.parameters() if p.device == device))
