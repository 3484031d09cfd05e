# happened = "An answer is indented with tabs."
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
	device = weight.device
	mean, errors = mean.to(device), []
	for batch, target in zip(batches, targets):
		error = (batch.to(device) - mean) @ weight - target.to(device)
		errors.append((error * error).mean())
	return sum(errors) / len(errors)
