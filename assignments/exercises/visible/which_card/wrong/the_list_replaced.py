# finding: list-replaced
def which_card():
    return {
        "run": 3,
        "line": 3,
        "cause": "list ended",
        "change": 'export CUDA_VISIBLE_DEVICES=2,1,0',
    }
