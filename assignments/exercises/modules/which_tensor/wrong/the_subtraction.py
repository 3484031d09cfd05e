# finding: where-it-shows
def which_tensor():
    return {
        "run": 2,
        "line": 12,
        "cause": 'attribute',
        "change": 'batch = batch - self.mean.to(batch.device) + steps',
    }
