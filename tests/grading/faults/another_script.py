# happened = "The student's name is in another script."
# student = "Дина Иванова-李雷"
