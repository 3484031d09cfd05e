# finding: nobody-lets-go
def what_grows():
    return {
        "run": 3,
        "line": 11,
        "cause": "keys",
        "change": "latest.update({str(step): batch}); torch.cuda.empty_cache()",
    }
