# finding: other-card
def which_card():
    return {
        "run": 3,
        "line": 6,
        "cause": "read too early",
        "change": 'print(torch.cuda.is_available())',
    }
