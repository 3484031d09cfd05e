def predict_map(tag, form, value, gpus):
    """Return the device of the loaded tensor, or the name of the error, as a string."""
    ### BEGIN SOLUTION
    # What is neither a string, a device nor a dict is called as a function, and a number is none.
    if form == "number":
        return "TypeError"
    # First: where should it go? The tag decides wherever `map_location` says nothing about it.
    place = value
    if form == "dict":
        place = value.get(tag, tag)
    if place is None:
        place = tag
    # Second: is that place there?
    if place == "cuda":
        place = "cuda:0"
    if place != "cpu" and int(place.removeprefix("cuda:")) >= gpus:
        return "RuntimeError"
    return place
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# import tempfile
#
# with tempfile.TemporaryDirectory() as folder:
#     torch.save(torch.ones(1, device=devices[3]), f"{folder}/one.pt")
#     print(torch.load(f"{folder}/one.pt", map_location={"cuda:3": "cuda:1"}).device)
