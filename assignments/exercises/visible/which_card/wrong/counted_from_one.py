# finding: other-card
def which_card():
    return {
        "run": 17,
        "line": 8,
        "cause": "place",
        "change": 'device = torch.device("cuda:3")',
    }
