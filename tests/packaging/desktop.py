# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds what an installation tells desktops against itself: one id, the file types, icons and pictures that are there.

Usage: desktop.py SHARE_FOLDER PICTURE_FOLDER
"""
import configparser
import struct
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ID = "org.headroom.Headroom"
TYPE = "application/vnd.headroom.scenario+json"
TYPES = {TYPE: "*.headroom", "application/vnd.headroom.views+json": "*.headroom-views"}


def entry(path, group):
    parser = configparser.RawConfigParser(strict=True)
    parser.optionxform = str
    parser.read(path, encoding="utf-8")
    return parser[group]


def size(path):
    """Width and height of a PNG."""
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:24]) if head[:8] == b"\x89PNG\r\n\x1a\n" else None


def problems(share, pictures):
    desktop = entry(share / "applications" / f"{ID}.desktop", "Desktop Entry")
    thumbnailer = entry(share / "thumbnailers" / f"{ID}.thumbnailer", "Thumbnailer Entry")
    metainfo = ElementTree.parse(share / "metainfo" / f"{ID}.metainfo.xml").getroot()
    namespace = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    mimes = ElementTree.parse(share / "mime" / "packages" / f"{ID}.xml").getroot().findall("m:mime-type", namespace)

    if {mime.get("type"): mime.find("m:glob", namespace).get("pattern") for mime in mimes} != TYPES:
        yield f"the file types are not those of {', '.join(TYPES.values())}"
    if not set(TYPES) <= set(desktop["MimeType"].split(";")) or "%f" not in desktop["Exec"].lower():
        yield "the desktop entry does not open the file types"
    if TYPE not in thumbnailer["MimeType"].split(";") or not {"%i", "%o", "%s"} <= set(thumbnailer["Exec"].split()):
        yield "the thumbnailer does not draw the file type"
    if metainfo.findtext("id") != ID or metainfo.findtext("launchable") != f"{ID}.desktop":
        yield "the metainfo belongs to another program"
    if {provided.text for provided in metainfo.findall("provides/mediatype")} != set(TYPES):
        yield "the metainfo names other file types"

    icons = share / "icons" / "hicolor"
    wanted = [icons / "scalable" / "apps" / f"{desktop['Icon']}.svg",
              icons / "symbolic" / "apps" / f"{desktop['Icon']}-symbolic.svg",
              *(icons / "scalable" / "mimetypes" / f"{mime.find('m:icon', namespace).get('name')}.svg"
                for mime in mimes)]
    for icon in wanted:
        if not icon.is_file():
            yield f"no icon {icon.relative_to(share)}"
    for icon in icons.glob("*x*/*/*.png"):
        side = int(icon.relative_to(icons).parts[0].split("x")[0])
        if size(icon) != (side, side):
            yield f"{icon.relative_to(share)} is not {side} pixels wide and high"

    images = metainfo.findall("screenshots/screenshot/image")
    if not images:
        yield "the metainfo shows no picture"
    for image in images:
        picture = pictures / image.text.rsplit("/", 1)[-1]
        if not picture.is_file():
            yield f"there is no picture {picture.name}"
        elif size(picture) != (int(image.get("width")), int(image.get("height"))):
            yield f"{picture.name} is not {image.get('width')} x {image.get('height')}"


found = list(problems(Path(sys.argv[1]), Path(sys.argv[2])))
for problem in found:
    print(f"desktop: {problem}", file=sys.stderr)
sys.exit(1 if found else 0)
