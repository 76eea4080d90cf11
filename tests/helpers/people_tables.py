# ruff: noqa: E501 - a column is read whole
"""Tables about people that are easily mistaken for tables about things, made anew from a fixed seed.

No table has a direct identifier, and most have no attribute that only people have: survey answers, laboratory values,
marks, logs of one wearer, the ways of a vehicle, purchases.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable

Table = dict[str, list[str]]
N = 200
UNKNOWN_WORDS = (
    "blorb qwix zanty fremp ulgo drask vonk plim trosk yabber klunt sproi gask wembo jurt hyxa norf skell pruv dwimo "
    "chab lurm obex tiff smerl grun vith yonk zarg quob mipt felk rond dorp eelt furd glux hiln"
).split()
"""Words that no language of the lexicon has."""


def drawn(make: Callable[[int], object], n: int = N) -> list[str]:
    return [str(make(i)) for i in range(n)]


def day(i: int) -> str:
    return str(dt.date(2021, 1, 1) + dt.timedelta(days=i))


def tables() -> dict[str, Table]:
    """Return the tables by name; the same each time."""
    rng = random.Random(5)
    some, whole, real = rng.choice, rng.randrange, rng.uniform

    def moment(i: int) -> str:
        return f"{day(i // 24)} {i % 24:02d}:{whole(60):02d}:{whole(60):02d}"

    def point(low: float, high: float) -> list[str]:
        return drawn(lambda _: round(real(low, high), 5))

    return {
        "survey": {f"q{j}": drawn(lambda _: whole(1, 6)) for j in range(12)},
        "laboratory": {
            "sodium": drawn(lambda _: whole(130, 150)),
            "potassium": drawn(lambda _: round(real(3, 5), 1)),
            "chloride": drawn(lambda _: whole(95, 110)),
        },
        "marks": {
            "id": drawn(lambda i: i + 1),
            "english": drawn(lambda _: whole(100)),
            "french": drawn(lambda _: whole(100)),
            "total": drawn(lambda _: whole(200)),
        },
        "results": {
            "id": drawn(lambda i: i + 1),
            "level": drawn(lambda _: some("ABC")),
            "score": drawn(lambda _: whole(100)),
            "result": drawn(lambda _: some(["pass", "fail"])),
            "status": drawn(lambda _: some(["new", "old"])),
        },
        "trials": {
            "trial": drawn(lambda i: i % 20),
            "condition": drawn(lambda _: some("ab")),
            "accuracy": drawn(lambda _: whole(2)),
            "rt": drawn(lambda _: round(rng.random(), 3)),
        },
        "runs": {
            "date": drawn(day),
            "distance_km": drawn(lambda _: round(real(1, 12), 2)),
            "duration_min": drawn(lambda _: whole(10, 90)),
            "calories": drawn(lambda _: whole(100, 900)),
        },
        "steps": {"date": drawn(day), "steps": drawn(lambda _: whole(900, 20000)), "calories": drawn(lambda _: whole(900, 3000))},
        "body_weight": {"date": drawn(day), "weight": drawn(lambda _: round(real(70, 80), 1))},
        "body_temperature": {"date": drawn(day), "temperature": drawn(lambda _: round(real(36, 37.2), 2))},
        "track": {"timestamp": drawn(moment), "latitude": point(48, 48.2), "longitude": point(2.1, 2.4)},
        "fleet": {
            "vehicle_id": drawn(lambda i: f"V{i % 9}"),
            "timestamp": drawn(moment),
            "lat": point(48, 48.2),
            "lon": point(2.1, 2.4),
            "fuel": drawn(lambda _: whole(90)),
            "engine_rpm": drawn(lambda _: whole(900, 5000)),
        },
        "account": {
            "date": drawn(day),
            "description": drawn(lambda _: some(["rent", "food", "fuel"])),
            "amount": drawn(lambda _: round(real(-900, 900), 2)),
            "balance": drawn(lambda _: round(real(0, 9000), 2)),
        },
        "smart_meters": {
            "meter_id": drawn(lambda i: f"M{i % 9}"),
            "timestamp": drawn(moment),
            "kwh": drawn(lambda _: round(rng.random(), 3)),
        },
        "charging": {
            "station": drawn(lambda i: f"S{i % 9}"),
            "start_time": drawn(moment),
            "kwh": drawn(lambda _: round(real(1, 60), 3)),
            "duration": drawn(lambda _: whole(10, 400)),
        },
        "viewing": {"Title": drawn(lambda i: f"Show {i}"), "Date": drawn(lambda i: day(i // 2))},
        "film_ratings": {
            "movie": drawn(lambda i: f"Film {i % 40}"),
            "genre": drawn(lambda _: some(["Drama", "Comedy"])),
            "rating": drawn(lambda _: whole(1, 6)),
            "timestamp": drawn(moment),
        },
        "purchases": {
            "transaction_id": drawn(lambda i: 100000 + 7 * i),
            "product": drawn(lambda i: f"P{i % 30}"),
            "price": drawn(lambda _: round(real(1, 90), 2)),
            "date": drawn(lambda i: day(i // 3)),
        },
        "homes": {
            "city": drawn(lambda i: f"Town{i}"),
            "height": drawn(lambda _: round(real(150, 195), 1)),
            "weight": drawn(lambda _: round(real(50, 110), 1)),
        },
        "governors": {
            "state": ["Ohio", "Utah", "Iowa", "Texas", "Maine", "Idaho", "Nevada", "Kansas"],
            "governor": ["Ann Lee", "Tom Okafor", "Mia Silva", "Eva Rossi", "Joe Novak", "Ian Smith", "Sue Jones", "Bob Brown"],
            "since": drawn(lambda i: 2011 + i, 8),
        },
        "leaders": {
            "country": ["France", "Kenya", "Peru", "Nepal", "Japan", "Chile", "Cuba", "Egypt"],
            "age": ["55", "61", "47", "70", "66", "58", "49", "72"],
            "total": ["1", "2", "1", "2", "3", "1", "2", "1"],
        },
        "wearers": {
            "sensor_id": drawn(lambda i: f"S{i}"),
            "name": drawn(lambda _: some(["Anna", "Peter", "Maria", "John", "Lucy"])),
            "temperature": drawn(lambda _: round(real(36, 39), 1)),
            "humidity": drawn(lambda _: whole(20, 90)),
        },
        "buyers": {
            "name": drawn(lambda _: f"{some(['Ann', 'Tom', 'Mia', 'Eva'])} {some(['Lee', 'Okafor', 'Rossi', 'Novak'])}"),
            "sku": drawn(lambda i: f"K{i}"),
            "price": drawn(lambda _: whole(1, 99)),
        },
        "families": {
            "tree": drawn(lambda i: i),
            "family": drawn(lambda _: some("ABC")),
            "sex": drawn(lambda _: some("MF")),
            "age": drawn(lambda _: whole(1, 90)),
        },
        "postal_totals": {
            "zip": drawn(lambda i: 10001 + 37 * i),
            "city": drawn(lambda _: some(["Austin", "Boise"])),
            "total": drawn(lambda _: whole(900)),
        },
        "chat": {
            "timestamp": drawn(moment),
            "channel": drawn(lambda _: some(["general", "random"])),
            "message": drawn(lambda i: f"hello there {i} how are you"),
        },
    }  # fmt: skip
