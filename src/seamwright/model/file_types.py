"""Which file types the API takes natively, and how a label is mapped to one of them.

The list is the vendor's own of accepted ``input_file`` types, widened in February 2026.
"""

from __future__ import annotations

from typing import Final

IMAGE_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})

DOCUMENT_TYPES: Final = frozenset(
    {
        "application/csv",
        "application/graphql",
        "application/javascript",
        "application/json",
        "application/json5",
        "application/msword",
        "application/pdf",
        "application/rtf",
        "application/toml",
        "application/typescript",
        "application/vnd.apple.iwork",
        "application/vnd.apple.keynote",
        "application/vnd.apple.pages",
        "application/vnd.google-apps.document",
        "application/vnd.google-apps.presentation",
        "application/vnd.google-apps.spreadsheet",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/x-awk",
        "application/x-bash",
        "application/x-graphql",
        "application/x-httpd-php",
        "application/x-httpd-php-source",
        "application/x-iif",
        "application/x-json5",
        "application/x-ndjson",
        "application/x-patch",
        "application/x-php",
        "application/x-powershell",
        "application/x-protobuf",
        "application/x-rust",
        "application/x-scala",
        "application/x-sql",
        "application/x-subrip",
        "application/x-terraform",
        "application/x-toml",
        "application/x-yaml",
        "application/yaml",
        "message/rfc822",
        "text/calendar",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
        "text/jsx",
        "text/markdown",
        "text/plain",
        "text/rtf",
        "text/srt",
        "text/tsv",
        "text/tsx",
        "text/vbscript",
        "text/vtt",
        "text/x-asm",
        "text/x-astro",
        "text/x-awk",
        "text/x-bash",
        "text/x-c",
        "text/x-c++",
        "text/x-clojure",
        "text/x-cmake",
        "text/x-csharp",
        "text/x-dart",
        "text/x-diff",
        "text/x-dockerfile",
        "text/x-ejs",
        "text/x-elixir",
        "text/x-erb",
        "text/x-erlang",
        "text/x-go",
        "text/x-golang",
        "text/x-gradle",
        "text/x-graphql",
        "text/x-groovy",
        "text/x-handlebars",
        "text/x-haskell",
        "text/x-hcl",
        "text/x-iif",
        "text/x-ini",
        "text/x-jade",
        "text/x-java",
        "text/x-jinja2",
        "text/x-julia",
        "text/x-kotlin",
        "text/x-less",
        "text/x-liquid",
        "text/x-lisp",
        "text/x-lua",
        "text/x-makefile",
        "text/x-mustache",
        "text/x-objectivec",
        "text/x-objectivec++",
        "text/x-patch",
        "text/x-perl",
        "text/x-php",
        "text/x-properties",
        "text/x-protobuf",
        "text/x-pug",
        "text/x-python",
        "text/x-r",
        "text/x-rst",
        "text/x-ruby",
        "text/x-rust",
        "text/x-sass",
        "text/x-scala",
        "text/x-script.python",
        "text/x-scss",
        "text/x-sh",
        "text/x-shellscript",
        "text/x-sql",
        "text/x-subrip",
        "text/x-swift",
        "text/x-terraform",
        "text/x-tex",
        "text/x-tmpl",
        "text/x-toml",
        "text/x-twig",
        "text/x-typescript",
        "text/x-vcard",
        "text/x-yaml",
        "text/x-zsh",
        "text/xml",
    }
)

ALIASES: Final = {
    "application/xml": "text/xml",
    "text/tab-separated-values": "text/tsv",
    "application/x-javascript": "application/javascript",
    "text/yaml": "application/yaml",
    "application/sql": "text/x-sql",
    "text/x-csrc": "text/x-c",
    "text/x-c++src": "text/x-c++",
    "text/x-java-source": "text/x-java",
    "application/x-sh": "text/x-sh",
    "application/x-python": "text/x-python",
    "text/python": "text/x-python",
    "text/rust": "text/x-rust",
}
"""Other names in use for an accepted type."""

ARCHIVES: Final = frozenset(
    {
        "application/zip",
        "application/gzip",
        "application/x-gzip",
        "application/x-tar",
        "application/x-7z-compressed",
        "application/vnd.rar",
        "application/x-rar-compressed",
        "application/wasm",
    }
)
"""Types whose file extension says nothing about what is inside."""

EXTENSIONS: Final = {
    "py": "text/x-python",
    "md": "text/markdown",
    "txt": "text/plain",
    "log": "text/plain",
    "csv": "text/csv",
    "tsv": "text/tsv",
    "json": "application/json",
    "yaml": "application/yaml",
    "yml": "application/yaml",
    "toml": "application/toml",
    "xml": "text/xml",
    "html": "text/html",
    "htm": "text/html",
    "css": "text/css",
    "js": "application/javascript",
    "mjs": "application/javascript",
    "ts": "text/x-typescript",
    "rs": "text/x-rust",
    "go": "text/x-golang",
    "rb": "text/x-ruby",
    "java": "text/x-java",
    "c": "text/x-c",
    "h": "text/x-c",
    "cpp": "text/x-c++",
    "cc": "text/x-c++",
    "hpp": "text/x-c++",
    "sh": "text/x-sh",
    "sql": "text/x-sql",
}
"""The type a file name's extension stands for."""


def bare_type(label: str) -> str:
    """A label without parameters, white space and capitals: the form in which types are compared and sent."""
    return label.partition(";")[0].strip().lower()


def document_type(label: str, filename: str) -> str:
    """The accepted type that *label* stands for: itself, its alias, or what the extension says; else the bare label.

    >>> document_type("text/yaml; charset=utf-8", "a.txt")
    'application/yaml'
    """
    bare = bare_type(label)
    if bare in DOCUMENT_TYPES:
        return bare
    if bare in ALIASES:
        return ALIASES[bare]
    if bare.partition("/")[0] in ("audio", "video", "image", "font") or bare in ARCHIVES:
        return bare
    extension = filename.rpartition(".")[2].lower() if "." in filename else ""
    if extension == "pdf" and bare == "application/octet-stream":
        return "application/pdf"
    return EXTENSIONS.get(extension, bare)
