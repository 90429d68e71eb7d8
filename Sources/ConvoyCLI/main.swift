print("convoy")
