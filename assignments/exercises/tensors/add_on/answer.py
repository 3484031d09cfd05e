def add_on(a, b, where):
    """Return a + b, computed on the device that `where` names: "a", "b" or "cpu"."""
    ### BEGIN SOLUTION
    # Where the operands meet, the result is born: with the operands there, nothing else moves.
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

    def bring(operand):
        # The one exemption from the same-device rule. `to` does nothing if it is there already.
        if operand.dim() == 0 and not operand.is_cuda:
            return operand
        return operand.to(place)

    return bring(a) + bring(b)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# from course_utils.experiments.copies import count_copies
#
# with count_copies() as copies:
#     total = add_on(torch.tensor(2.0), torch.ones(3, device=devices[1]), "b")
# print(total, copies.by_route)
