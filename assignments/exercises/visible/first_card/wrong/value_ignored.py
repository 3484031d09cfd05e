# finding: value-ignored
def first_card(cards, order, visible):
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    return cards[0][0]
