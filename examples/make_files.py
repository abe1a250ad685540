"""The files beside ``support_agent.json``: a photo, two PDFs, a long log and a catalogue.

Everything is written out by hand, uncompressed, so that each Python and each zlib gives the same bytes.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import Final

_COLOURS: Final = {" ": 0xF4EFE6, "#": 0x2B2B33, "o": 0xB8C4CC, "r": 0xC0392B, "~": 0x3B82C4, "_": 0x8A6A4F}
_PHOTO: Final = (
    "                    ",
    "    ############    ",
    "    #oooooooooo#    ",
    "    #oorroooroo#    ",
    "    #oooooooooo#    ",
    "    ############    ",
    "       #    #       ",
    "       #    #       ",
    "      oo    oo      ",
    "      oo    oo      ",
    "    ############    ",
    "    #oooooooooo#~   ",
    "   ~############~~  ",
    "____~~~~____~~~~~~__",
    "________~~__________",
    "____________________",
)
_SCALE: Final = 6


def photo() -> bytes:
    """A PNG of an espresso machine that stands in a puddle, 120 by 96 pixels of a palette of six colours."""
    index = {letter: number for number, letter in enumerate(_COLOURS)}
    pixels = bytearray()
    for line in _PHOTO:
        row = [index[letter] for letter in line for _ in range(_SCALE)]
        packed = bytes(left << 4 | right for left, right in zip(row[::2], row[1::2], strict=True))
        pixels += (b"\0" + packed) * _SCALE
    size = struct.pack(">II5B", len(_PHOTO[0]) * _SCALE, len(_PHOTO) * _SCALE, 4, 3, 0, 0, 0)
    palette = b"".join(colour.to_bytes(3, "big") for colour in _COLOURS.values())
    chunks = ((b"IHDR", size), (b"PLTE", palette), (b"IDAT", _stored(bytes(pixels))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _stored(data: bytes) -> bytes:
    """A zlib stream of one block that is not compressed (RFC 1950, RFC 1951)."""
    length = len(data)
    block = struct.pack("<BHH", 1, length, length ^ 0xFFFF) + data
    return b"\x78\x01" + block + struct.pack(">I", zlib.adler32(data))


def pdf(lines: list[str]) -> bytes:
    """A PDF of one A5 page with a few lines of text."""
    shown = "".join(f"({line}) Tj T*\n" for line in lines)
    content = f"BT /F1 11 Tf 16 TL 40 540 Td\n{shown}ET".encode()
    resources = b"<< /Font << /F1 5 0 R >> >>"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] /Contents 4 0 R /Resources %s >>" % resources,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    result = b"%PDF-1.4\n"
    table = b"0000000000 65535 f \n"
    for number, body in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(result)
        result += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(result))
    return result + b"xref\n0 %d\n%s" % (len(objects) + 1, table) + trailer


def diagnostics() -> bytes:
    """What the machine uploads after its self-test: one reading a line; pressure falls from shot to shot."""
    readings: list[str] = []
    for shot in range(1, 13):
        for second in range(30):
            pressure = 9.1 - 0.17 * shot if second > 4 else 1.8 * second
            flow = 1.9 + 0.05 * (second % 3)
            readings.append(
                f'{{"shot":{shot},"t":{second},"bar":{pressure:.2f},"ml_s":{flow:.2f},"tray":{int(shot > 1)}}}'
            )
    return "\n".join(readings).encode()


def catalogue() -> bytes:
    """The spare parts of every model, as JSON."""
    models = ("Solo", "Solo S", "Duo", "Duo S", "Trio", "Bar", "Bar 2", "Travel", "Lever")
    names = (
        *("group gasket", "shower screen", "drip tray", "tray grid", "pump", "pump damper", "solenoid valve"),
        *("steam wand", "steam wand tip", "tank", "tank seal", "boiler probe", "portafilter", "double basket"),
    )
    parts = [
        {
            "part": f"KE-{100 * place + number}",
            "model": f"Kestrel {model}",
            "name": name,
            "eur": 4.5 + 3 * number,
            "stock": 7 * place,
        }
        for place, model in enumerate(models, 1)
        for number, name in enumerate(names, 1)
    ]
    return json.dumps({"catalogue": "2026-02", "parts": parts}, indent=1).encode()
