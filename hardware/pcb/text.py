"""KiCad's files as trees: lists of atoms and lists, as S-expressions are. Atoms stay text."""

import re
from typing import Any

Tree = list[Any]  # of str and Tree
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+')


def parse(text: str) -> Tree:
    """Return the first tree of a file. A quoted atom keeps its quotes."""
    stack: list[Tree] = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    tree: Tree = stack[0][0]
    return tree


def write(tree: Tree | str) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(map(write, tree))})"


def quote(text: str) -> str:
    return f'"{text}"'


def unquote(atom: str) -> str:
    return atom.strip('"')


def children(tree: Tree, name: str) -> list[Tree]:
    """Return the lists in a tree that begin with a name."""
    return [one for one in tree if isinstance(one, list) and one[0] == name]


def numbers(tree: Tree, name: str) -> list[float]:
    """Return the numbers after a name: of `(at 1 2 90)` they are 1, 2 and 90."""
    return [float(atom) for atom in children(tree, name)[0][1:]]
