# happened = "A sign that joins letters, which has no width, is in the student's name."
# student = "می\u200cنا"
