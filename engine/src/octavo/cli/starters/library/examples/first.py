from greenhouse import Valve

# [start:first]
valve = Valve(bed=3)
print(valve.open(minutes=10))
# [end:first]
