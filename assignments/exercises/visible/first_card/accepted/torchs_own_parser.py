import os
from unittest import mock

import torch


def first_card(cards, order, visible):
    counted = list(cards)
    if order != "PCI_BUS_ID":
        counted.sort(key=lambda card: card[1], reverse=True)
    if visible is None:
        return counted[0][0]
    uuids = [uuid for uuid, _ in counted]
    with mock.patch.dict(os.environ, CUDA_VISIBLE_DEVICES=visible):
        found = torch.cuda._parse_visible_devices()
    if found and isinstance(found[0], str):
        found = torch.cuda._transform_uuid_to_ordinals(found, uuids)
    return uuids[found[0]] if found and found[0] < len(uuids) else None
