# finding: uuid-missed
def first_card(cards, order, visible):
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    if not visible:
        return cards[0][0] if visible is None else None
    return cards[int(visible.split(",")[0])][0]
