"""QR codes as pictures for pages; what they say is the caller's."""

import io

import segno


def svg(text: str) -> bytes:
    """A QR code as an SVG without a size of its own: black on white, with the quiet zone."""
    picture = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        picture,
        kind="svg",
        border=4,
        light="#fff",
        xmldecl=False,
        nl=False,
        omitsize=True,
        svgclass=None,
        lineclass=None,
    )
    return picture.getvalue()
