# finding: other-card
def which_card():
    return {
        "run": 22,
        "line": 3,
        "cause": "list ended",
        "change": 'export CUDA_VISIBLE_DEVICES=2,GPU2,1',
    }
