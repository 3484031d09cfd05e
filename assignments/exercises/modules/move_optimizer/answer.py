def move_optimizer(net, optimizer, device):
    """Move `net`, and the states of its `optimizer`, to `device`, in place."""
    ### BEGIN SOLUTION
    # The parameters stay the same objects, so they are still in the optimizer, and they are still
    # the keys of its states.
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            # (`optimizer.load_state_dict(optimizer.state_dict())` would move them, too.)
            # `to` returns a new tensor, which replaces the old one under the same name.
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
