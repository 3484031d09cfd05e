def fix_mean(numbers):
    if not numbers:
        return None
    total = 0
    for number in numbers:
        total += number / len(numbers)
    return total
