# NoGo over the SAU protocol: the first free point. It forgets to flush.
import sys

taken = set()


def answer():
    point = next(x + y for x in "ABCDEFGHI" for y in "ABCDEFGHI" if x + y not in taken)
    taken.add(point)
    print("move", point)


for line in sys.stdin:
    words = line.split()
    if words == ["name?"]:
        print("name starter")
    elif words == ["quit"]:
        break
    elif words[:1] == ["new"]:
        taken.clear()
        if words[1] == "black":
            answer()
    elif words[:1] == ["move"]:
        taken.add(words[1])
        answer()
