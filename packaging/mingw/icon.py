#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts pictures into one icon of Windows: icon.py OUT.ico PNG…  Windows takes PNG within since Vista."""
import pathlib
import struct
import sys


def main():
    pictures = [pathlib.Path(name).read_bytes() for name in sys.argv[2:]]
    entries, offset = b"", 6 + 16 * len(pictures)
    for picture in pictures:
        width, height = struct.unpack(">II", picture[16:24])  # of the header that every PNG begins with
        # 256 is written as 0; one plane, 32 bits a pixel
        entries += struct.pack("<BBBBHHII", width % 256, height % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    pathlib.Path(sys.argv[1]).write_bytes(struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures))


main()
