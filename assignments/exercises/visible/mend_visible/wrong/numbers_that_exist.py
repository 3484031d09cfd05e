# finding: physical-number
import copy

import torch


def mend_visible(visible, model, batches):
    cards = visible.split(",")
    numbers = [int(card) for card in cards if card.isdigit()]
    if len(numbers) < 4 or max(numbers) > 3:
        numbers = [0, 1, 2, 3]
    replicas = {number: copy.deepcopy(model).to(f"cuda:{number}") for number in numbers}
    with torch.no_grad():
        return [
            replicas[numbers[n % 4]](batch.to(f"cuda:{numbers[n % 4]}"))
            for n, batch in enumerate(batches)
        ]
