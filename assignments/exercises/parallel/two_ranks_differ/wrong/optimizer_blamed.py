# finding: line-right
def two_ranks_differ():
    return {
        "run": 17,
        "line": 15,
        "cause": "no exchange",
        "change": 'optimizer = torch.optim.SGD(model.parameters(), lr=0.5)',
    }
