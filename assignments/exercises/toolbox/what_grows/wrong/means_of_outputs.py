# finding: other-outputs
def what_grows():
    return {'run': 8, 'line': 12, 'cause': 'tensors on the GPU', 'change': 'outputs.append(output.mean().item())'}
