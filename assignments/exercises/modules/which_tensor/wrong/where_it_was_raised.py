# finding: where-it-shows
def which_tensor():
    return {
        "run": 17,
        "line": 28,
        "cause": 'loss',
        "change": 'loss = criterion(net(images).cpu(), labels.cpu())',
    }
