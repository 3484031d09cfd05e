# finding: other-cause
def which_card():
    return {
        "run": 1,
        "line": 2,
        "cause": "place",
        "change": 'export CUDA_DEVICE_ORDER=PCI_BUS_ID',
    }
