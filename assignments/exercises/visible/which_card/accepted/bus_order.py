def which_card():
    return {
        "run": 1,
        "line": 2,
        "cause": "order",
        "change": 'export CUDA_DEVICE_ORDER=PCI_BUS_ID',
    }
