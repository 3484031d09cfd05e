# finding: set-too-late
def which_card():
    return {
        "run": 3,
        "line": 7,
        "cause": "read too early",
        "change": 'os.environ["CUDA_VISIBLE_DEVICES"] = "2,1,0"',
    }
