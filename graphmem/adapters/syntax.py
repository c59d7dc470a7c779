"""Imports of JavaScript, TypeScript, Go, Java and Rust files, by tree-sitter's grammars."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import cast, get_args

import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from graphmem.model.code import CodeImport, Language, Outline

_GRAMMARS: Mapping[str, Callable[[], object]] = {
    "javascript": tree_sitter_javascript.language,
    "typescript": tree_sitter_typescript.language_typescript,
    "tsx": tree_sitter_typescript.language_tsx,
    "go": tree_sitter_go.language,
    "java": tree_sitter_java.language,
    "rust": tree_sitter_rust.language,
}


def read_imports(language: Language, text: str) -> Outline:
    """The outline of a file of these languages: what it imports, and the package of a Java file. Broken files are
    parsed too; their broken parts are left out."""
    if language not in _GRAMMARS:
        raise ValueError(
            f"there is no grammar for {language}; there are {sorted(set(get_args(Language)) & {*_GRAMMARS})}"
        )
    root = _parser(language).parse(text.encode()).root_node
    if language == "go":
        return Outline(language=language, imports=tuple(_go(root)))
    if language == "java":
        return Outline(language=language, imports=tuple(_java(root)), package=_java_package(root))
    if language == "rust":
        return Outline(language=language, imports=tuple(_rust(root, ())))
    return Outline(language=language, imports=tuple(_script(root)))


@cache
def _parser(language: str) -> Parser:
    return Parser(Grammar(cast(int, _GRAMMARS[language]())))


def _script(root: Node) -> Iterator[CodeImport]:
    """`import`, `export … from`, `require("…")` and `import("…")`, anywhere in the file."""
    for node in _all(root):
        if node.type in ("import_statement", "export_statement", "import_require_clause"):
            if source := node.child_by_field_name("source"):
                yield _named(node, source)
        elif node.type == "call_expression":
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            called = _text(function) if function else ""
            first = arguments.named_children[0] if arguments and arguments.named_children else None
            if called in ("require", "import", "require.resolve") and first and first.type == "string":
                yield _named(node, first)


def _named(node: Node, source: Node) -> CodeImport:
    return CodeImport(line=_line(node), module=_text(source).strip("\"'`"))


def _go(root: Node) -> Iterator[CodeImport]:
    for node in _all(root, inside=("import_declaration", "import_spec_list")):
        if node.type == "import_spec" and (path := node.child_by_field_name("path")):
            yield CodeImport(line=_line(node), module=_text(path).strip('"`'))


def _java(root: Node) -> Iterator[CodeImport]:
    for node in root.named_children:
        if node.type == "import_declaration":
            parts = {child.type: _text(child) for child in node.named_children}
            static = any(child.type == "static" for child in node.children)
            name = parts.get("scoped_identifier") or parts.get("identifier") or ""
            wild = "asterisk" in parts and not static
            yield CodeImport(line=_line(node), module=name, how="wildcard" if wild else "import")


def _java_package(root: Node) -> str | None:
    for node in root.named_children:
        if node.type == "package_declaration":
            return _text(node.named_children[-1])
    return None


def _rust(root: Node, inside: tuple[str, ...]) -> Iterator[CodeImport]:
    """Paths of `use`, each name of a list separately, and `mod name;`; those in a `mod` of the file are relative to the
    file's own module."""
    for node in root.named_children:
        if node.type == "mod_item":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            own = _text(name) if name else ""
            if body:
                yield from _rust(body, (*inside, own))
            else:
                yield CodeImport(line=_line(node), module="::".join(("self", *inside, own)), how="mod")
        elif node.type == "use_declaration" and (argument := node.child_by_field_name("argument")):
            for path in _rust_paths(argument):
                yield CodeImport(line=_line(node), module="::".join(_from_file(path, inside)), how="use")
        elif node.type == "extern_crate_declaration" and (crate := node.child_by_field_name("name")):
            yield CodeImport(line=_line(node), module=_text(crate), how="use")
        elif node.type in ("function_item", "block", "impl_item", "declaration_list", "expression_statement"):
            yield from _rust(node, inside)


def _rust_paths(node: Node) -> Iterator[tuple[str, ...]]:
    if node.type == "use_list":
        for child in node.named_children:
            yield from _rust_paths(child)
    elif node.type == "scoped_use_list":
        path, names = node.child_by_field_name("path"), node.child_by_field_name("list")
        before = tuple(_text(path).split("::")) if path else ()
        for behind in _rust_paths(names) if names else ():
            yield before if behind == ("self",) else (*before, *behind)
    elif node.type == "use_as_clause" and (path := node.child_by_field_name("path")):
        yield from _rust_paths(path)
    elif node.type == "use_wildcard":
        yield tuple(_text(node).removesuffix("*").removesuffix("::").split("::"))
    else:
        yield tuple(_text(node).split("::"))


def _from_file(path: tuple[str, ...], inside: tuple[str, ...]) -> tuple[str, ...]:
    """A path as the module of the file would write it."""
    if not inside or path[0] not in ("self", "super"):
        return path
    left = list(inside)
    rest = list(path[1:] if path[0] == "self" else path)
    while rest and rest[0] == "super" and left:
        left.pop()
        rest.pop(0)
    return (*left, *rest) if rest and rest[0] == "super" else ("self", *left, *rest)


def _all(root: Node, inside: tuple[str, ...] | None = None) -> Iterator[Node]:
    """All named nodes in order; with `inside`, only below nodes of these types. A loop, since trees nest deep."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if inside is None or node is root or node.type in inside:
            waiting.extend(reversed(node.named_children))


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def _line(node: Node) -> int:
    return node.start_point[0] + 1
