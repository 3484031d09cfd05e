# finding: still-a-text
def fix_mean(numbers):
    total = ""
    for number in numbers:
        total += number
    return total
