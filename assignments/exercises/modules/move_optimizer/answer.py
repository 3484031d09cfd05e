def move_optimizer(net, optimizer, device):
    """Move `net`, and the states of its `optimizer`, to `device`, in place."""
    ### BEGIN SOLUTION
    # The parameters stay the same objects, so the optimizer still holds the right ones, and its
    # states are still found under them.
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            # What `to` returns has to be kept: here, under the name that is there already.
            if state.dim() > 0:
                states[name] = state.to(device)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# net = nn.Linear(2, 1)
# optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
# net(torch.ones(1, 2)).sum().backward()
# optimizer.step()
# move_optimizer(net, optimizer, devices[1])
# print(optimizer.state[net.weight])
