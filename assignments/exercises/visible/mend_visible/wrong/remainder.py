# finding: card-number-computed
import copy

import torch


def mend_visible(visible, model, batches):
    cards = [int(entry) % 4 for entry in visible.split(",")]
    replicas = {card: copy.deepcopy(model).to(f"cuda:{card}") for card in cards}
    with torch.no_grad():
        return [replicas[cards[n % 4]](batch.to(f"cuda:{cards[n % 4]}"))
                for n, batch in enumerate(batches)]
