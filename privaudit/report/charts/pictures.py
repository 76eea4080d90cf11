"""The pictures of a table: categories as points, regions as tiles.

Question: how are the pictures drawn, and what do they not show?
Method: a point for each category, labelled by column and number, or by the value where its vocabulary is public; tiles
in four shades by the share of records at risk. Inertia, settings and what distances do not mean are stated below.
Limits: drawn from the numbers in the report; labels of crowded points are shown on hovering only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from privaudit.model import Report
from privaudit.model.pictures import CategoryMap, CategoryPoint
from privaudit.model.wording import Number, Share, Threshold, Wording, percent
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, short
from privaudit.report.escape import name
from privaudit.report.sentences import sentence

HEIGHT = 360.0
MARGIN = 24.0
LABEL_WIDTH, LABEL_HEIGHT = 5.6, 9.0
COLOURS = ("accent", "bad", "good", "sensitive", "soft", "ink")
SHADES = ((0.25, "good"), (0.5, "calm"), (0.75, "bad2"), (1.1, "bad"))
"""Colour of a tile by its share of records at risk: below a quarter, a half, three quarters, above."""


def pictures(report: Report, wording: Wording) -> list[Chart]:
    """Return the pictures of a report; none in the public edition, and none where they were not measured."""
    found = report.pictures
    if found is None or wording.public:
        return []
    drawn = []
    if found.categories is not None:
        drawn.append(_points(found.categories, wording, "map", lambda point: (point.x, point.y)))
        if found.categories.perplexity is not None:
            drawn.append(_points(found.categories, wording, "near", lambda p: (p.near_x or 0.0, p.near_y or 0.0)))
    if found.regions:
        drawn.append(_tiles(report, wording))
    return drawn


def _points(
    found: CategoryMap, wording: Wording, kind: str, place: Callable[[CategoryPoint], tuple[float, float]]
) -> Chart:
    canvas, columns = Canvas(), list(dict.fromkeys(point.column for point in found.points))
    places = _scaled([place(point) for point in found.points])
    # Every point first: a label must not cover a point that is drawn later.
    taken = [(x - 4, x + 4, y) for x, y in places]
    for point, (x, y) in zip(found.points, places, strict=True):
        colour = COLOURS[columns.index(point.column) % len(COLOURS)]
        label = _label(point)
        canvas.circle(x, y, 3.5, colour, tip=label)
        _write(canvas, short(label, 24), x, y, colour, taken)
    head = [sentence(wording, f"report.head_{key}") for key in ("category", "x", "y")]
    rows = [(_label(point), *(f"{at:.2f}" for at in place(point))) for point in found.points]
    shares = [Share(share) for share in found.inertia]
    words = sentence(
        wording,
        f"report.picture_{kind}_words",
        points=Number(len(found.points)),
        values=Number(found.n_values),
        first=shares[0],
        second=shares[1],
        plain=Share(found.plain_inertia),
        perplexity=Threshold(found.perplexity or 0.0),
    )
    title = sentence(wording, f"report.picture_{kind}_title")
    return canvas.chart(f"picture-{kind}", title, words, HEIGHT, head=head, rows=rows)


def _label(point: CategoryPoint) -> str:
    return f"{name(point.column, 40)} {point.number if point.value is None else name(point.value, 30)}"


def _scaled(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return places on the canvas, both axes in one scale."""
    xs, ys = zip(*places, strict=True)
    # Distances along both axes must be comparable, so the picture is not stretched to its frame.
    scale = min(
        (WIDTH - 2 * MARGIN) / max(max(xs) - min(xs), 1e-9), (HEIGHT - 2 * MARGIN) / max(max(ys) - min(ys), 1e-9)
    )
    return [
        (WIDTH / 2 + (x - (max(xs) + min(xs)) / 2) * scale, HEIGHT / 2 - (y - (max(ys) + min(ys)) / 2) * scale)
        for x, y in places
    ]


def _write(
    canvas: Canvas, label: str, x: float, y: float, colour: str, taken: list[tuple[float, float, float]]
) -> None:
    """Write a label next to its point, unless it would cross another one or the edge."""
    width = LABEL_WIDTH * len(label)
    for left in (x + 6, x - 6 - width):
        crosses = (abs(y - other) < LABEL_HEIGHT and left < end and start < left + width for start, end, other in taken)
        if 0 <= left < WIDTH - width and not any(crosses):
            taken.append((left, left + width, y))
            canvas.text(left, y + 4, label, colour=colour, size=10)
            return


def _tiles(report: Report, wording: Wording) -> Chart:
    assert report.pictures is not None
    canvas = Canvas()
    for tile in report.pictures.regions:
        x, y = MARGIN + tile.x * (WIDTH - 2 * MARGIN), tile.y * (HEIGHT - 2 * MARGIN) + MARGIN
        width, height = tile.width * (WIDTH - 2 * MARGIN), tile.height * (HEIGHT - 2 * MARGIN)
        shade = next(colour for limit, colour in SHADES if tile.share_below_k < limit)
        share = percent(tile.share_below_k)
        canvas.rect(x + 1, y + 1, width - 2, height - 2, shade, tip=share)
        if width > 34 and height > 14:
            canvas.text(x + width / 2, y + height / 2 + 4, share, colour="ink", anchor="middle", size=11, bold=True)
    k = Threshold(report.policy.k)
    n = Number(len(report.pictures.regions))
    words = sentence(wording, "report.picture_regions_words", k=k, regions=n)
    title = sentence(wording, "report.picture_regions_title", k=k)
    head = (sentence(wording, "report.head_region"), sentence(wording, "report.head_share_below", k=k))
    rows = [(str(i), percent(tile.share_below_k)) for i, tile in enumerate(report.pictures.regions, 1)]
    return canvas.chart("picture-regions", title, words, HEIGHT, head=head, rows=rows)
