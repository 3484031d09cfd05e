# finding: other-result
def what_grows():
    return {'run': 3, 'line': 10, 'cause': 'keys', 'change': 'latest = {}'}
