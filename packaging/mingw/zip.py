#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs a folder, the same bytes each time: zip.py OUT.zip FOLDER SECONDS  (all files of this moment, in their order)."""
import pathlib
import sys
import time
import zipfile


def main():
    out, folder, seconds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(str(file.relative_to(folder.parent)), time.gmtime(seconds)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, file.read_bytes())


main()
