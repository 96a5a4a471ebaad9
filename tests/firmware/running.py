"""Runs the functions of a module that are called test_, in MicroPython. They may yield to wait."""

import sys


def tests(name):
    module = __import__(name, None, None, ["*"])
    return ",".join([test for test in sorted(dir(module)) if test.startswith("test_")])


def steps(test, name):
    try:
        going = test()
        if hasattr(going, "__next__"):
            yield from going
        print("passed", name)
    except Exception as error:
        print("failed", name)
        sys.print_exception(error)


running = []  # Node can't hand a generator back


def begin(name, test):
    running[:] = [steps(getattr(__import__(name, None, None, ["*"]), test), name + "." + test)]


def more():
    return any(True for _ in running[0])


if __name__ == "__main__":  # micropython running.py ROOT MODULE...
    root = sys.argv[1]
    sys.path[:] = [root, root + "/tests/firmware", root + "/firmware", ".frozen"]
    for name in sys.argv[2:]:
        for test in tests(name).split(","):
            begin(name, test)
            while more():
                pass
