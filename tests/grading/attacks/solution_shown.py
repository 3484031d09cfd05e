# name = "The solution, as it is shown to learners"
# goal = "steal"
# attacks = "solution() and hint(), which know the reference"
# flagged = true

# %% positional
text = str(solution("tensors.positional")) + str(solution("tensors.positional"))
text += "".join(str(hint("tensors.positional", number)) for number in (1, 2, 3))
if "```python" in text:
    exec(text.partition("```python")[2].partition("```")[0])
