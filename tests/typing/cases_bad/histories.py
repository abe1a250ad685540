"""Wrong histories and wrong seams of their wiring."""

from __future__ import annotations

from collections.abc import Sequence

from seamwright import RenderOptions
from seamwright.history import Block, HistoryMessage, TextBlock, VerbatimOverrides, VerbatimSeams
from seamwright.history.serialize import make_serialize_history
from seamwright_containers import (
    Plan,
    VerbatimContainer,
    made,
    rewire,
    swap,
    use,
    verbatim_pipeline,
    with_sha256_fingerprint,
)


def a_number(blocks: Sequence[Block], /) -> int:
    return len(blocks)


async def waiting(blocks: Sequence[Block], /) -> str:
    return str(len(blocks))


HistoryMessage("robot", [TextBlock("q")])  # E: there are four roles
HistoryMessage("user")  # E: a message has content
TextBlock(3)  # E: a text is a text
TextBlock("q").text = "r"  # E: a block is frozen

pipeline = verbatim_pipeline()
verbatim_pipeline(tool_outputs=str)  # E: no seam has this name
verbatim_pipeline(nonce=str)  # E: a seam of the other pipeline
verbatim_pipeline(tool_output="text")  # E: a text is no function
verbatim_pipeline(tool_output=None)  # E: every seam is needed
verbatim_pipeline(tool_output=a_number)  # E: an output is text
verbatim_pipeline(tool_output=waiting)  # E: a plain function is asked for
verbatim_pipeline(text_item=lambda block: {})  # E: whether it is our own is given too
verbatim_pipeline(a_number)  # E: every replacement has a name
pipeline.build(RenderOptions(model="m"))  # E: the history comes first
pipeline.build([], RenderOptions(model="m"), [])  # E: tools are given by name
pipeline.seams = pipeline.seams  # E: a pipeline is frozen

misspelt: VerbatimOverrides = {"tool_outputs": str}  # E: no seam has this name

container = VerbatimContainer()
swap(container.tool_output, 3)  # E: a number is no function
swap(container.tool_output, a_number)  # E: an output is text
swap(container.tool_outputs, str)  # E: no seam has this name
made(make_serialize_history)  # E: the message seam is missing
made(make_serialize_history, serialize_mesage=use(container.serialize_message))  # E: misspelt
made(make_serialize_history, serialize_message=use(container.text_item))  # E: a text item is no message
rewire(container.tool_output, container.text_item)  # E: a text item is no output
with_sha256_fingerprint(container)  # E: histories have no fingerprint
Plan.compile(container, VerbatimSeams).pipeline()  # E: a plan of states alone gives a pipeline
