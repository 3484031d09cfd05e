# happened = "There are an apostrophe, a comma and brackets in the student's name."
# student = "O'Brien, [Anne] & Co. %s"
