# finding: warnings-off
def find_waits():
    return {
        "run": 3,
        "line": 11,
        "cause": "number",
        "change": 'torch.cuda.set_sync_debug_mode("default"); total = total + loss.item()',
    }
