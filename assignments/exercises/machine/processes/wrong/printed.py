# finding: nothing-returned
def processes(table):
    print(table.partition("Processes:")[2])
