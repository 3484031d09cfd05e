# finding: keeps-growing
def validate(model, batches):
    total = 0
    for batch in batches:
        total += model(batch).square().mean()
    return total.item() / len(batches)
