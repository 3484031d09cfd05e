# finding: sorted-cards
import copy

import torch


def mend_visible(visible, model, batches):
    cards = visible.split(",")
    ranks = [sorted(cards).index(card) for card in cards]
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[ranks[n % 4]](batch.to(f"cuda:{ranks[n % 4]}"))
                for n, batch in enumerate(batches)]
