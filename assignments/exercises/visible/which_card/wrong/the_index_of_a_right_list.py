# finding: place-right
def which_card():
    return {
        "run": 1,
        "line": 8,
        "cause": "place",
        "change": 'device = torch.device("cuda:1")',
    }
