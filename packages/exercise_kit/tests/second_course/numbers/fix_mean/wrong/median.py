# finding: other-result
def fix_mean(numbers):
    return sorted(numbers)[len(numbers) // 2] if numbers else None
