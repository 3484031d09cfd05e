def meet_budget(measure, budget):
    names = ["bfloat16", "checkpoint", "fused", "sharding"]
    choices = [[n for k, n in enumerate(names) if number >> k & 1] for number in range(16)]

    def price(choice):
        return "sharding" in choice, len(choice), [names.index(each) for each in choice]

    for choice in sorted(choices, key=price):
        if measure(choice) <= budget:
            return choice
