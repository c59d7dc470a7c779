"""The outline of a Python file, from its syntax tree: imports, definitions and calls."""

import ast
import warnings
from collections.abc import Iterator, Sequence

from graphmem.model.code import CodeCall, CodeImport, CodeSymbol, Outline

Function = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Unreadable(Exception):
    """The content of the file does not match its name; the message says where."""


def read_python(text: str) -> Outline:
    """The outline of a module. Nothing of it is run or imported.

    Errors: Unreadable for what is not Python of this version.

    >>> read_python("from a import b\\ndef f():\\n    b()").calls
    (CodeCall(scope='f', name='b', line=3),)
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings are for the file's author, not for us
            tree = ast.parse(text)
    except SyntaxError as error:
        raise Unreadable(f"line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error) or "it nests too deep") from None
    reader = _Reader()
    try:
        reader.body(tree.body, "", frozenset())
    except RecursionError:
        raise Unreadable("it nests too deep") from None
    return Outline(
        language="python",
        imports=tuple(reader.imports),
        symbols=tuple(reader.symbols),
        calls=tuple(CodeCall(scope=scope, name=name, line=line) for (scope, name), line in reader.calls.items()),
    )


class _Reader:
    def __init__(self) -> None:
        self.imports: list[CodeImport] = []
        self.symbols: list[CodeSymbol] = []
        self.calls: dict[tuple[str, str], int] = {}

    def body(self, statements: Sequence[ast.stmt], scope: str, local: frozenset[str], *, inside: bool = False) -> None:
        """Statements of a module, a class, or (`inside`) a function, whose definitions are local."""
        for statement in statements:
            self._visit(statement, scope, local, inside=inside)

    def _visit(self, node: ast.AST, scope: str, local: frozenset[str], *, inside: bool) -> None:
        if isinstance(node, _DEFINITIONS):
            self._definition(node, scope, local, inside=inside)
            return
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                self.imports.append(CodeImport(line=node.lineno, module=alias.name, names=((alias.name, bound),)))
        elif isinstance(node, ast.ImportFrom):
            names = tuple((alias.name, alias.asname or alias.name) for alias in node.names)
            self.imports.append(
                CodeImport(line=node.lineno, module=node.module or "", names=names, level=node.level, how="from")
            )
        elif isinstance(node, ast.Call):
            if name := _called(node.func, local):
                self.calls.setdefault((scope, name), node.lineno)
        elif isinstance(node, ast.Lambda):
            local = local | frozenset(_arguments(node.args))
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            local = local | frozenset(name for loop in node.generators for name in _bound(loop.target))
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope, local, inside=inside)

    def _definition(self, node: Function | ast.ClassDef, scope: str, local: frozenset[str], *, inside: bool) -> None:
        name = f"{scope}.{node.name}" if scope else node.name
        own = scope if inside else name
        if not inside:
            bases = (
                tuple(base for one in node.bases if (base := _dotted(one))) if isinstance(node, ast.ClassDef) else ()
            )
            self.symbols.append(
                CodeSymbol(
                    name=name,
                    kind="class" if isinstance(node, ast.ClassDef) else "function",
                    line=min([node.lineno, *(one.lineno for one in node.decorator_list)]),
                    end=node.end_lineno or node.lineno,
                    bases=bases,
                )
            )
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr | ast.arguments | ast.keyword):
                self._visit(part, own, local, inside=inside)
        if isinstance(node, ast.ClassDef):
            self.body(node.body, own, local, inside=inside)
        else:
            self.body(node.body, own, local | _locals(node), inside=True)


def _called(func: ast.expr, local: frozenset[str]) -> str | None:
    """The name of what is called; for a local value only the method's, since the value is unknown."""
    if isinstance(func, ast.Attribute):
        dotted = _dotted(func)
        root = dotted.partition(".")[0] if dotted else ""
        if dotted and (root in ("self", "cls") or root not in local):
            return dotted
        if isinstance(func.value, ast.Call) and isinstance(func.value.func, ast.Name) and func.value.func.id == "super":
            return f"super.{func.attr}"
        return f".{func.attr}"
    if isinstance(func, ast.Name) and func.id not in local:
        return func.id
    return None


def _dotted(node: ast.expr) -> str:
    """'a.b.c' of names and attributes, without brackets after them; '' for anything else."""
    if isinstance(node, ast.Subscript):
        return _dotted(node.value)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (before := _dotted(node.value)):
        return f"{before}.{node.attr}"
    return ""


def _locals(function: Function) -> frozenset[str]:
    """Local names of the function: its arguments, and what it assigns; not imports."""
    names = set(_arguments(function.args))
    outer: set[str] = set()
    for node in _own_nodes(function.body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names.add(node.id)
        elif isinstance(node, ast.ExceptHandler):
            names.update([node.name] if node.name else [])
        elif isinstance(node, _DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            outer.update(node.names)
    return frozenset(names - outer)


def _own_nodes(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """All nodes of a function's body, without those of nested functions and classes."""
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_DEFINITIONS, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def _arguments(arguments: ast.arguments) -> Iterator[str]:
    for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if one is not None:
            yield one.arg


def _bound(target: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
