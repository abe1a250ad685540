"""Images, files and tool outputs: M1 to M4."""

from __future__ import annotations

import re
from typing import Any, Final

from seamwright.check.context import Context
from seamwright.check.fields import OUTPUT_PARTS
from seamwright.check.json_types import Object, is_list, is_object, kind, shown
from seamwright.check.media import DataURL, base64_fault, image_type, parse_data_url
from seamwright.model.file_types import IMAGE_TYPES

_NO_DOCUMENT: Final = re.compile(
    r"[^?#]*\.(mp3|wav|ogg|flac|m4a|aac|mp4|mov|avi|mkv|webm|zip|gz|tar|7z|rar|exe|bin|png|jpe?g|gif|webp)(?:[?#]|$)",
    re.IGNORECASE,
).match
"""URLs of sounds, films, archives and pictures, which are refused as files."""


def image_source(ctx: Context, part: Object) -> None:
    """M1, M2: an image has a source; a data URL is well formed and holds what it says."""
    url = part.get("image_url")
    if type(url) is not str:
        if url is None and not part.get("file_id"):
            ctx.on_part("M2", "image_url", "missing; an image has an image_url or a file_id")
        return
    if url[:5].lower() != "data:":
        if not url.lower().startswith(("http://", "https://")):
            ctx.on_part("M2", "image_url", f"{shown(url)} is neither a data URL nor http(s)")
        return
    data = parse_data_url(url)
    if data is None:
        ctx.on_part("M2", "image_url", f"{shown(url)} is not of the form data:TYPE;base64,…")
        return
    fault = base64_fault(data.payload)
    if fault:
        ctx.on_part("M2", "image_url", f"the payload is {fault}" if fault == "empty" else f"the payload has {fault}")
    image_bytes(ctx, data)


def image_bytes(ctx: Context, data: DataURL) -> None:
    """M1: the bytes are jpeg, png, gif or webp, and what the data URL says."""
    if not data.mime.startswith("image/"):
        ctx.on_part("M2", "image_url", f"{shown(data.mime)} is no image MIME type")
    label = "image/jpeg" if data.mime == "image/jpg" else data.mime
    if label not in IMAGE_TYPES:
        ctx.on_part("M1", "image_url", f"{shown(data.mime)} is no image type the API takes")
        return
    head = data.head()
    found = image_type(head)
    if head and found is None:
        ctx.on_part("M1", "image_url", f"the bytes are no jpeg, png, gif or webp (labelled {data.mime})")
    elif head and found != label:
        ctx.on_part("M1", "image_url", f"the bytes are {found}, the label says {data.mime}")
    elif label != data.mime:
        ctx.on_part("M1", "image_url", "image/jpg is not a registered type; write image/jpeg", severity="warning")


def file_source(ctx: Context, part: Object) -> None:
    """M3: a file has exactly what the API can read: a data URL of an accepted type with a name, an id, or a URL."""
    data = part.get("file_data")
    if not ctx.profile.documents:
        ctx.on_part("M3", "", f"endpoint {ctx.profile.name!r} takes no files")
    if data is None:
        if not _text(part.get("file_id")) and not _text(part.get("file_url")):
            ctx.on_part("M3", "", "an input_file has file_data, file_id or file_url")
        elif _text(part.get("file_url")) and _NO_DOCUMENT(part["file_url"]):
            ctx.on_part(
                "M3", "file_url", f"{shown(part['file_url'])} does not look like a document", severity="warning"
            )
    elif type(data) is not str:
        ctx.on_part("M3", "file_data", f"{kind(data)}; file_data is a data URL")
    else:
        file_data(ctx, part, data)


def file_data(ctx: Context, part: Object, url: str) -> None:
    """M2, M3: the data URL of a file is well formed, its type accepted, its name given."""
    data = parse_data_url(url)
    if data is None:
        ctx.on_part("M3", "file_data", f"{shown(url, 40)} is not of the form data:TYPE;base64,…")
        return
    if ctx.profile.documents and data.mime not in ctx.profile.documents:
        ctx.on_part("M3", "file_data", f"unsupported MIME type {shown(data.mime)}")
    fault = base64_fault(data.payload)
    if fault:
        ctx.on_part("M2", "file_data", f"the payload is {fault}" if fault == "empty" else f"the payload has {fault}")
    if not _text(part.get("filename")):
        ctx.on_part("M3", "filename", "missing; file_data goes with a filename")


def _text(value: object) -> bool:
    return type(value) is str and value != ""


def tool_output(ctx: Context, item: Object) -> None:
    """M4: the output of a tool is a string or a list of parts; where the endpoint says so, a string only."""
    if "output" not in item:
        return
    value = item["output"]
    if is_list(value):
        if ctx.profile.tool_output == "string":
            ctx.on_item("M4", "output", f"endpoint {ctx.profile.name!r} takes a string only")
    elif type(value) is not str:
        ctx.on_item("M4", "output", f"expected a string or an array of objects, got {kind(value)}")


def output_part(ctx: Context, part: Any) -> None:
    """M4: the parts of a tool output are texts, images and files."""
    kind_of = part.get("type") if is_object(part) else None
    if not is_object(part):
        ctx.on_part("M4", "", f"{kind(part)}; an output has input_text, input_image and input_file")
    elif type(kind_of) is not str or kind_of not in OUTPUT_PARTS:
        ctx.on_part("M4", "type", f"{shown(kind_of)}; an output has input_text, input_image and input_file")


def output_object(ctx: Context, item: Object) -> None:
    """M4 for a screenshot: the output is one ``computer_screenshot``."""
    value = item.get("output")
    if "output" in item and (not is_object(value) or value.get("type") != "computer_screenshot"):
        ctx.on_item("M4", "output", "the output of a computer call is an object of type computer_screenshot")


def output_string(ctx: Context, item: Object) -> None:
    """M4 for a local shell: the output is a string."""
    if "output" in item and type(item["output"]) is not str:
        ctx.on_item("M4", "output", f"expected a string, got {kind(item['output'])}")


def output_list(ctx: Context, item: Object) -> None:
    """M4 for a shell: the output is a list of what each command wrote."""
    if "output" in item and not is_list(item["output"]):
        ctx.on_item("M4", "output", f"expected an array, got {kind(item['output'])}")
