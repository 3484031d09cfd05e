def predict_devices(program):
    places = []
    steps = iter(program)

    def block(current):
        for step in steps:
            if step[0] == "end":
                return
            if step[0] == "set":
                current = step[1]
            if step[0] == "with":
                block(step[1])
            if step[0] == "new":
                places.append(step[1] if step[1] != "cuda" else f"cuda:{current}")
            if step[0] == "double":
                places.append(places[step[1]])

    block(0)
    return places
