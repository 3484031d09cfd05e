# name = "The solution, as it is shown to learners"
# goal = "steal"
# attacks = "solution() and hint(), which know the reference"
# flagged = true

# %% move_batch
text = str(solution("tensors.move_batch")) + str(solution("tensors.move_batch"))
text += "".join(str(hint("tensors.move_batch", number)) for number in (1, 2, 3))
if "```python" in text:
    exec(text.partition("```python")[2].partition("```")[0])
