# ruff: noqa: E501 - a row of a table is read whole
"""Tables about things, as open-source projects publish them, made anew from a fixed seed.

Each function returns one kind of table; `HARMLESS` lists all of them. None describes a person.
"""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Callable, Iterable

Table = dict[str, list[str]]

HARMLESS: dict[str, Callable[[random.Random], Table]] = {}
"""Every kind of table by name; each function takes a random generator of its own."""

COUNTRIES = [
    ("Albania", "AL", "ALB", "008", "Europe"), ("Algeria", "DZ", "DZA", "012", "Africa"),
    ("Argentina", "AR", "ARG", "032", "Americas"), ("Australia", "AU", "AUS", "036", "Oceania"),
    ("Austria", "AT", "AUT", "040", "Europe"), ("Belgium", "BE", "BEL", "056", "Europe"),
    ("Brazil", "BR", "BRA", "076", "Americas"), ("Canada", "CA", "CAN", "124", "Americas"),
    ("Chad", "TD", "TCD", "148", "Africa"), ("Chile", "CL", "CHL", "152", "Americas"),
    ("China", "CN", "CHN", "156", "Asia"), ("Cuba", "CU", "CUB", "192", "Americas"),
    ("Denmark", "DK", "DNK", "208", "Europe"), ("Egypt", "EG", "EGY", "818", "Africa"),
    ("Finland", "FI", "FIN", "246", "Europe"), ("France", "FR", "FRA", "250", "Europe"),
    ("Georgia", "GE", "GEO", "268", "Asia"), ("Germany", "DE", "DEU", "276", "Europe"),
    ("India", "IN", "IND", "356", "Asia"), ("Italy", "IT", "ITA", "380", "Europe"),
    ("Japan", "JP", "JPN", "392", "Asia"), ("Jordan", "JO", "JOR", "400", "Asia"),
    ("Kenya", "KE", "KEN", "404", "Africa"), ("Mexico", "MX", "MEX", "484", "Americas"),
    ("Nepal", "NP", "NPL", "524", "Asia"), ("Norway", "NO", "NOR", "578", "Europe"),
    ("Peru", "PE", "PER", "604", "Americas"), ("Poland", "PL", "POL", "616", "Europe"),
    ("Spain", "ES", "ESP", "724", "Europe"), ("Sweden", "SE", "SWE", "752", "Europe"),
    ("Turkey", "TR", "TUR", "792", "Asia"), ("Uganda", "UG", "UGA", "800", "Africa"),
]  # fmt: skip
STATES = [
    ("Alabama", "AL"), ("Alaska", "AK"), ("Arizona", "AZ"), ("Arkansas", "AR"), ("California", "CA"),
    ("Colorado", "CO"), ("Connecticut", "CT"), ("Delaware", "DE"), ("Florida", "FL"), ("Georgia", "GA"),
    ("Hawaii", "HI"), ("Idaho", "ID"), ("Illinois", "IL"), ("Indiana", "IN"), ("Iowa", "IA"), ("Kansas", "KS"),
    ("Kentucky", "KY"), ("Louisiana", "LA"), ("Maine", "ME"), ("Maryland", "MD"), ("Michigan", "MI"),
    ("Montana", "MT"), ("Nevada", "NV"), ("Ohio", "OH"), ("Oregon", "OR"), ("Texas", "TX"), ("Utah", "UT"),
]  # fmt: skip
CITIES = [
    ("Lyon", "France", 45.764, 4.8357), ("Turin", "Italy", 45.0703, 7.6869), ("Porto", "Portugal", 41.1579, -8.6291),
    ("Graz", "Austria", 47.0707, 15.4395), ("Malmo", "Sweden", 55.605, 13.0038), ("Bergen", "Norway", 60.3913, 5.3221),
    ("Krakow", "Poland", 50.0647, 19.945), ("Brno", "Czechia", 49.1951, 16.6068), ("Osaka", "Japan", 34.6937, 135.5023),
    ("Lagos", "Nigeria", 6.5244, 3.3792), ("Nairobi", "Kenya", -1.2921, 36.8219), ("Lima", "Peru", -12.0464, -77.0428),
    ("Quito", "Ecuador", -0.1807, -78.4678), ("Perth", "Australia", -31.9505, 115.8605),
    ("Denver", "United States", 39.7392, -104.9903), ("Boston", "United States", 42.3601, -71.0589),
]  # fmt: skip
CLUBS = ["Northport", "Eastham", "Riverton", "Lakeside", "Hillview", "Westbury", "Stonebridge", "Oakfield"]


def harmless(make: Callable[[random.Random], Table]) -> Callable[[random.Random], Table]:
    """Register a kind of table under the name of its function."""
    HARMLESS[make.__name__] = make
    return make


def build(name: str) -> Table:
    """Return the table called `name`; the same each time."""
    return HARMLESS[name](random.Random(name))


def rows(header: str, lines: Iterable[Iterable[object]]) -> Table:
    """Return the columns of `lines` under the names in `header`, which `|` separates."""
    names = header.split("|")
    return {name: [str(cell) for cell in cells] for name, cells in zip(names, zip(*lines, strict=True), strict=True)}


def day(i: int, start: str = "2019-01-01") -> str:
    return str(dt.date.fromisoformat(start) + dt.timedelta(days=i))


@harmless
def iso_3166(_: random.Random) -> Table:
    sub = {"Europe": "Western Europe", "Asia": "Southern Asia", "Africa": "Eastern Africa"}
    return rows(
        "name|alpha-2|alpha-3|country-code|iso_3166-2|region|sub-region",
        ((n, a, b, c, f"ISO 3166-2:{a}", r, sub.get(r, r)) for n, a, b, c, r in COUNTRIES),
    )


@harmless
def stocks(rng: random.Random) -> Table:
    return rows(
        "symbol|date|price",
        (
            (s, day(30 * i), round(40 + rng.gauss(0, 9), 2))
            for s in ("MSFT", "AMZN", "IBM", "GOOG", "AAPL")
            for i in range(60)
        ),
    )


@harmless
def daily_prices(rng: random.Random) -> Table:
    lines = []
    price = 100.0
    for i in range(300):
        close = price * math.exp(rng.gauss(0, 0.01))
        lines.append((day(i), f"{price:.2f}", f"{max(price, close) + 1:.2f}", f"{min(price, close) - 1:.2f}",
                      f"{close:.2f}", rng.randrange(10**6, 10**7)))  # fmt: skip
        price = close
    return rows("Date|Open|High|Low|Close|Volume", lines)


@harmless
def penguins(rng: random.Random) -> Table:
    return rows(
        "species|island|bill_length_mm|bill_depth_mm|flipper_length_mm|body_mass_g|sex",
        (
            (s, rng.choice(["Biscoe", "Dream", "Torgersen"]), round(rng.gauss(44, 5), 1), round(rng.gauss(17, 2), 1),
             rng.randrange(172, 231), rng.randrange(2700, 6300, 25), rng.choice(["Male", "Female", ""]))
            for s in ("Adelie", "Chinstrap", "Gentoo") for _ in range(100)
        ),
    )  # fmt: skip


@harmless
def iris(rng: random.Random) -> Table:
    return rows(
        "sepal_length|sepal_width|petal_length|petal_width|species",
        (
            (*(round(rng.uniform(1, 7), 1) for _ in range(4)), s)
            for s in ("setosa", "versicolor", "virginica")
            for _ in range(50)
        ),
    )


@harmless
def car_crashes(rng: random.Random) -> Table:
    return rows(
        "total|speeding|alcohol|not_distracted|no_previous|ins_premium|ins_losses|abbrev",
        ((*(round(rng.uniform(1, 24), 3) for _ in range(5)), round(rng.uniform(600, 1300), 2),
          round(rng.uniform(80, 190), 2), a) for _, a in STATES),
    )  # fmt: skip


@harmless
def world_cities(rng: random.Random) -> Table:
    return rows("city|country|lat|lng|population", ((c, n, a, o, rng.randrange(10**5, 10**7)) for c, n, a, o in CITIES))


@harmless
def lookup_of_states(_: random.Random) -> Table:
    return rows("id|status", ((1, "open"), (2, "closed"), (3, "pending")))


@harmless
def lookup_of_labels(_: random.Random) -> Table:
    return rows("code|label", (("A", "active"), ("D", "deleted"), ("P", "pending")))


@harmless
def server_log(rng: random.Random) -> Table:
    return rows(
        "timestamp|method|path|status|bytes|duration_ms",
        (
            (f"2024-03-{1 + i // 100:02d}T{i // 6 % 24:02d}:{i % 60:02d}:{rng.randrange(60):02d}Z",
             rng.choice(["GET", "GET", "POST", "PUT"]), rng.choice(["/", "/health", "/api/items", "/static/app.js"]),
             rng.choice([200, 200, 200, 304, 404, 500]), rng.randrange(90, 90000), rng.randrange(1, 900))
            for i in range(600)
        ),
    )  # fmt: skip


@harmless
def application_log(rng: random.Random) -> Table:
    return rows(
        "time|level|logger|message",
        (
            (f"2024-03-01 {i // 25 % 24:02d}:{i % 60:02d}:{rng.randrange(60):02d}",
             rng.choice(["INFO", "INFO", "WARN", "ERROR"]), rng.choice(["db.pool", "http.server", "queue.worker"]),
             rng.choice(["connection opened", "request completed", "retrying after timeout", "cache miss"]))
            for i in range(500)
        ),
    )  # fmt: skip


@harmless
def diamonds(rng: random.Random) -> Table:
    return rows(
        "carat|cut|color|clarity|depth|table|price|x|y|z",
        (
            (round(rng.uniform(0.2, 3), 2), rng.choice(["Ideal", "Premium", "Good", "Fair"]), rng.choice("DEFGHIJ"),
             rng.choice(["SI1", "SI2", "VS1", "VS2", "IF"]), round(rng.gauss(61, 1), 1), rng.randrange(53, 66),
             rng.randrange(300, 18000), *(round(rng.uniform(3, 9), 2) for _ in range(3)))
            for _ in range(500)
        ),
    )  # fmt: skip


@harmless
def cars(rng: random.Random) -> Table:
    return rows(
        "mpg|cylinders|displacement|horsepower|weight|acceleration|model_year|origin|name",
        (
            (round(rng.uniform(10, 45), 1), rng.choice([4, 6, 8]), rng.randrange(70, 450), rng.randrange(50, 220),
             rng.randrange(1700, 5000), round(rng.uniform(8, 24), 1), rng.randrange(70, 83),
             rng.choice(["usa", "europe", "japan"]), f"{rng.choice(['ford', 'fiat', 'toyota'])} {rng.choice('abcdef')}{i}")
            for i in range(300)
        ),
    )  # fmt: skip


@harmless
def flights(rng: random.Random) -> Table:
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    return rows("year|month|passengers", ((y, m, rng.randrange(100, 620)) for y in range(1949, 1961) for m in months))


@harmless
def exoplanets(rng: random.Random) -> Table:
    return rows(
        "method|number|orbital_period|mass|distance|year",
        (
            (rng.choice(["Radial Velocity", "Transit", "Imaging"]), rng.randrange(1, 7), round(rng.uniform(1, 900), 3),
             round(rng.uniform(0.1, 20), 2), round(rng.uniform(4, 900), 2), rng.randrange(1995, 2015))
            for _ in range(400)
        ),
    )  # fmt: skip


@harmless
def stars(rng: random.Random) -> Table:
    proper = ["Sirius", "Canopus", "Arcturus", "Vega", "Capella", "Rigel", "Procyon", "Betelgeuse", "Altair", "Spica",
              "Antares", "Pollux", "Deneb", "Regulus", "Castor", "Bellatrix", "Mira", "Maia", "Electra", "Adhara"]  # fmt: skip
    return rows(
        "hip|proper|ra|dec|mag|spect",
        (
            (32349 + 97 * i, s, round(rng.uniform(0, 24), 5), round(rng.uniform(-90, 90), 5),
             round(rng.uniform(-1.4, 3), 2), rng.choice(["A1V", "F0II", "K1.5III", "M2I", "B8I"]))
            for i, s in enumerate(proper)
        ),
    )  # fmt: skip


@harmless
def elements(rng: random.Random) -> Table:
    listed = "Hydrogen H,Helium He,Lithium Li,Beryllium Be,Boron B,Carbon C,Nitrogen N,Oxygen O,Fluorine F,Neon Ne,Sodium Na,Argon Ar"
    return rows(
        "atomic_number|symbol|element|atomic_mass|melting_point|density",
        (
            (i, e.split()[1], e.split()[0], round(1.008 * i + rng.random(), 3), round(rng.uniform(14, 3800), 1),
             round(rng.uniform(0.1, 9), 3))
            for i, e in enumerate(listed.split(","), 1)
        ),
    )  # fmt: skip


@harmless
def airports(rng: random.Random) -> Table:
    letters = "ABCDEFGHIJKLMNOPRSTUVW"
    return rows(
        "iata|name|city|country|latitude|longitude|elevation_ft",
        (
            (letters[i % 20] + letters[i // 3 % 17] + letters[i * 7 % 22], f"{c} International Airport", c, n,
             round(a + rng.random(), 4), round(o + rng.random(), 4), rng.randrange(3, 7000))
            for i, (c, n, a, o) in enumerate(CITIES)
        ),
    )  # fmt: skip


@harmless
def seattle_weather(rng: random.Random) -> Table:
    return rows(
        "date|precipitation|temp_max|temp_min|wind|weather",
        (
            (day(i), round(max(0, rng.gauss(0, 5)), 1), round(rng.gauss(16, 6), 1), round(rng.gauss(8, 4), 1),
             round(rng.uniform(0.5, 9), 1), rng.choice(["rain", "sun", "fog", "snow", "drizzle"]))
            for i in range(365)
        ),
    )  # fmt: skip


@harmless
def earthquakes(rng: random.Random) -> Table:
    return rows(
        "time|latitude|longitude|depth|mag|magType|place",
        (
            (f"{day(i // 4)}T{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}.{rng.randrange(1000):03d}Z",
             round(rng.uniform(-60, 70), 4), round(rng.uniform(-179, 179), 4), round(rng.uniform(1, 300), 2),
             round(rng.uniform(2.5, 7), 1), rng.choice(["mb", "ml", "mww"]),
             f"{rng.randrange(5, 90)} km {rng.choice(['N', 'SE', 'WSW'])} of {rng.choice(CITIES)[0]}")
            for i in range(300)
        ),
    )  # fmt: skip


@harmless
def movies(rng: random.Random) -> Table:
    return rows(
        "Title|Release Year|Genre|Running Time|Budget|Worldwide Gross|Rating",
        (
            (f"The {rng.choice(['Silent', 'Last', 'Golden', 'Hidden'])} {rng.choice(['River', 'Empire', 'Signal'])} {i}",
             rng.randrange(1970, 2020), rng.choice(["Drama", "Comedy", "Action", "Horror"]), rng.randrange(80, 190),
             rng.randrange(10**6, 10**8), rng.randrange(10**6, 10**9), round(rng.uniform(2, 9), 1))
            for i in range(300)
        ),
    )  # fmt: skip


@harmless
def books(rng: random.Random) -> Table:
    def isbn(i: int) -> str:
        body = f"978{300000000 + 7919 * i:09d}"
        return body + str(-sum(int(c) * (1 if j % 2 == 0 else 3) for j, c in enumerate(body)) % 10)

    return rows(
        "isbn13|title|year|pages|price|language_code",
        (
            (isbn(i), f"{rng.choice(['Notes on', 'A History of', 'Introduction to'])} {rng.choice(['Rivers', 'Metals', 'Maps'])} {i}",
             rng.randrange(1950, 2023), rng.randrange(80, 900), round(rng.uniform(5, 60), 2), rng.choice(["eng", "fre", "spa"]))
            for i in range(200)
        ),
    )  # fmt: skip


@harmless
def match_results(rng: random.Random) -> Table:
    return rows(
        "date|home_team|away_team|home_score|away_score|tournament|city|country|neutral",
        (
            (day(3 * i), *rng.sample([c[0] for c in COUNTRIES], 2), rng.randrange(5), rng.randrange(4),
             rng.choice(["Friendly", "World Cup", "Euro qualification"]), *rng.choice(CITIES)[:2],
             rng.choice(["TRUE", "FALSE"]))
            for i in range(300)
        ),
    )  # fmt: skip


@harmless
def currencies(_: random.Random) -> Table:
    listed = (
        "US Dollar USD 840,Euro EUR 978,Yen JPY 392,Pound Sterling GBP 826,Swiss Franc CHF 756,"
        "Swedish Krona SEK 752,Norwegian Krone NOK 578,Zloty PLN 985,Forint HUF 348,Rand ZAR 710,"
        "Rupee INR 356,Kenyan Shilling KES 404,Peso MXN 484,Real BRL 986"
    )
    parts = [entry.rsplit(" ", 2) for entry in listed.split(",")]
    return rows("Currency|AlphabeticCode|NumericCode|MinorUnit", ((n, a, c, 2) for n, a, c in parts))


@harmless
def language_codes(_: random.Random) -> Table:
    listed = "en English,fr French,de German,it Italian,es Spanish,pt Portuguese,sv Swedish,pl Polish,ja Japanese,sw Swahili,hi Hindi,fi Finnish,nl Dutch,da Danish,cs Czech"
    return rows("alpha2|English", (entry.split(" ") for entry in listed.split(",")))


@harmless
def holidays(_: random.Random) -> Table:
    fixed = [
        "01-01 New Year's Day",
        "05-01 Labour Day",
        "12-25 Christmas Day",
        "12-26 Boxing Day",
        "11-11 Armistice Day",
    ]
    return rows(
        "date|holiday|country_code",
        ((f"{y}-{f[:5]}", f[6:], c) for y in range(2015, 2025) for f in fixed for c in ("GB", "FR")),
    )  # fmt: skip


@harmless
def benchmark_results(rng: random.Random) -> Table:
    return rows(
        "benchmark|iterations|real_time|cpu_time|time_unit|threads",
        (
            (f"BM_{rng.choice(['sort', 'hash', 'copy', 'parse'])}/{2**i}", rng.randrange(100, 10**6),
             round(rng.uniform(10, 9000), 3), round(rng.uniform(10, 9000), 3), "ns", rng.choice([1, 2, 4]))
            for i in range(40)
        ),
    )  # fmt: skip


@harmless
def training_log(rng: random.Random) -> Table:
    return rows(
        "epoch|step|loss|val_loss|accuracy|learning_rate",
        (
            (i, 500 * i, round(3 / i + rng.random() / 9, 4), round(3.2 / i + rng.random() / 9, 4),
             round(1 - 1 / (i + 1), 4), 0.001)
            for i in range(1, 61)
        ),
    )  # fmt: skip


@harmless
def products(rng: random.Random) -> Table:
    return rows(
        "sku|name|category|price|stock|weight_kg",
        (
            (f"SK-{10000 + 13 * i}", f"{rng.choice(['Oak', 'Steel', 'Cotton'])} {rng.choice(['table', 'lamp', 'sheet'])}",
             rng.choice(["home", "garden", "office"]), round(rng.uniform(3, 300), 2), rng.randrange(0, 900),
             round(rng.uniform(0.1, 30), 2))
            for i in range(200)
        ),
    )  # fmt: skip


@harmless
def named_products(rng: random.Random) -> Table:
    """Product names that are given names, as furniture has."""
    named = ["Billy", "Ivar", "Klara", "Sven", "Greta", "Anton", "Frida", "Oskar", "Malin", "Erik", "Hanna", "Lars"]
    return rows(
        "sku|product|price|colour|width_cm",
        (
            (f"{400 + i}.{100 + 7 * i}.{i % 90 + 10}", f"{n} {kind}", round(rng.uniform(9, 400), 2),
             rng.choice(["white", "black", "brown"]), rng.randrange(20, 220))
            for i, (n, kind) in enumerate((n, kind) for n in named for kind in ("shelf", "table", "lamp"))
        ),
    )  # fmt: skip


@harmless
def gapminder(rng: random.Random) -> Table:
    return rows(
        "country|continent|year|life_expectancy|population|gdp_per_capita",
        (
            (c[0], c[4], y, round(rng.uniform(45, 82), 1), rng.randrange(10**6, 10**8), round(rng.uniform(400, 40000), 2))
            for c in COUNTRIES for y in range(1960, 2010, 5)
        ),
    )  # fmt: skip


@harmless
def gdp(rng: random.Random) -> Table:
    return rows(
        "Country Name|Country Code|Year|Value",
        ((c[0], c[2], y, round(rng.uniform(1e9, 1e12), 1)) for c in COUNTRIES for y in range(2000, 2012)),
    )


@harmless
def unemployment(rng: random.Random) -> Table:
    return rows(
        "fips|county|state|rate",
        (
            (f"{i + 1:02d}{2 * j + 1:03d}", f"{n} County", s, round(rng.uniform(2, 15), 1))
            for i, (s, _) in enumerate(STATES) for j, n in enumerate(["Adams", "Clay", "Lincoln", "Monroe"])
        ),
    )  # fmt: skip


@harmless
def counts_of_persons(rng: random.Random) -> Table:
    return rows(
        "district|age_group|persons",
        (
            (f"District {d}", a, rng.randrange(40, 9000))
            for d in range(1, 13)
            for a in ("0-14", "15-24", "25-44", "45-64", "65+")
        ),
    )


@harmless
def http_statuses(_: random.Random) -> Table:
    listed = "200 OK,201 Created,204 No Content,301 Moved Permanently,304 Not Modified,400 Bad Request,401 Unauthorized,404 Not Found,500 Internal Server Error"
    return rows("code|reason_phrase", (entry.split(" ", 1) for entry in listed.split(",")))


@harmless
def colours(rng: random.Random) -> Table:
    named = "Amber Azure Beige Coral Crimson Cyan Indigo Ivory Khaki Lavender Magenta Olive Ruby Teal Violet".split()
    values = [[rng.randrange(256) for _ in range(3)] for _ in named]
    return rows(
        "name|hex|r|g|b", ((n, "#{:02x}{:02x}{:02x}".format(*v), *v) for n, v in zip(named, values, strict=True))
    )


@harmless
def nutrients(rng: random.Random) -> Table:
    foods = "Apple Banana Carrot Lentils Oats Rice Salmon Spinach Tofu Walnut Yoghurt Bread".split()
    return rows(
        "food|calories|protein_g|fat_g|carbohydrates_g|fibre_g",
        ((f, rng.randrange(15, 700), *(round(rng.uniform(0, 60), 1) for _ in range(4))) for f in foods),
    )


@harmless
def sensor_readings(rng: random.Random) -> Table:
    return rows(
        "sensor_id|timestamp|temperature|humidity",
        (
            (f"S{i % 12:02d}", f"2024-01-{1 + i // 288:02d} {i // 12 % 24:02d}:00:00", round(rng.gauss(20, 4), 2), rng.randrange(30, 90))
            for i in range(600)
        ),
    )  # fmt: skip


@harmless
def air_quality(rng: random.Random) -> Table:
    return rows(
        "date|station|pm10|pm25|no2|o3",
        (
            (day(i), s, *(round(rng.uniform(1, 80), 1) for _ in range(4)))
            for i in range(120)
            for s in ("Harbour", "Market Square", "Ring Road")
        ),
    )


@harmless
def carbon_dioxide(rng: random.Random) -> Table:
    return rows(
        "year|month|decimal_date|average|interpolated|trend",
        (
            (y, m, round(y + m / 12, 3), *(round(315 + 1.5 * (y - 1958) + rng.random(), 2) for _ in range(3)))
            for y in range(1960, 1990)
            for m in range(1, 13)
        ),
    )


@harmless
def oil_prices(rng: random.Random) -> Table:
    return rows("Date|Price", ((day(i), round(60 + rng.gauss(0, 10), 2)) for i in range(500)))


@harmless
def exchange_rates(rng: random.Random) -> Table:
    return rows(
        "date|currency|rate",
        ((day(i), c, round(rng.uniform(0.5, 130), 4)) for i in range(60) for c in ("USD", "GBP", "JPY", "CHF")),
    )


@harmless
def weather_stations(rng: random.Random) -> Table:
    return rows(
        "station_id|station_name|latitude|longitude|elevation",
        (
            (f"ST{1000 + i}", f"{c} Observatory", round(a + 0.1, 4), round(o + 0.1, 4), rng.randrange(2, 2500))
            for i, (c, _, a, o) in enumerate(CITIES)
        ),
    )


@harmless
def buildings(rng: random.Random) -> Table:
    return rows(
        "building|city|country|height_m|floors|year_completed",
        (
            (f"{rng.choice(['Harbour', 'Central', 'Summit'])} Tower {i}", *rng.choice(CITIES)[:2], rng.randrange(150, 620),
             rng.randrange(30, 160), rng.randrange(1960, 2022))
            for i in range(80)
        ),
    )  # fmt: skip


@harmless
def packages(rng: random.Random) -> Table:
    return rows(
        "package|version|license|released|downloads|size_kb",
        (
            (f"{rng.choice(['fast', 'py', 'lib'])}-{rng.choice(['json', 'grid', 'cache'])}-{i}",
             f"{rng.randrange(5)}.{rng.randrange(20)}.{rng.randrange(9)}", rng.choice(["MIT", "BSD-3-Clause", "Apache-2.0"]),
             day(3 * i), rng.randrange(10, 10**7), rng.randrange(4, 9000))
            for i in range(150)
        ),
    )  # fmt: skip


@harmless
def translations(_: random.Random) -> Table:
    words = ["save Speichern Enregistrer", "open Offnen Ouvrir", "close Schliessen Fermer", "delete Loschen Supprimer",
             "cancel Abbrechen Annuler", "search Suchen Rechercher", "print Drucken Imprimer", "help Hilfe Aide"]  # fmt: skip
    return rows("key|de|fr", ((f"menu.{w.split()[0]}", *w.split()[1:]) for w in words))


@harmless
def listed_companies(rng: random.Random) -> Table:
    return rows(
        "Symbol|Company Name|Sector|Industry|Market Cap",
        (
            ("".join(rng.choice("ABCDEFGHKLMNPRST") for _ in range(4)) + "ABCDEFGH"[i % 8],
             f"{rng.choice(['Northern', 'Global', 'United'])} {rng.choice(['Energy', 'Foods', 'Systems'])} {i} Inc",
             rng.choice(["Energy", "Financials", "Utilities"]), rng.choice(["Oil", "Banks", "Water"]), rng.randrange(10**8, 10**11))
            for i in range(150)
        ),
    )  # fmt: skip


@harmless
def election_results(rng: random.Random) -> Table:
    return rows(
        "state|party|votes|share",
        (
            (s, p, rng.randrange(10**4, 10**6), round(rng.uniform(0.1, 0.6), 3))
            for s, _ in STATES
            for p in ("Unity", "Reform", "Progress")
        ),
    )


@harmless
def bike_counts(rng: random.Random) -> Table:
    return rows(
        "date|season|holiday|temp|windspeed|count",
        (
            (day(i), ["winter", "spring", "summer", "autumn"][i // 91 % 4], int(i % 40 == 0), round(rng.gauss(14, 7), 1),
             round(rng.uniform(0, 30), 1), rng.randrange(50, 9000))
            for i in range(365)
        ),
    )  # fmt: skip


@harmless
def chess_openings(_: random.Random) -> Table:
    named = ["Alekhine Defence", "Benoni Defence", "Caro-Kann Defence", "English Opening", "French Defence", "Italian Game",
             "King's Gambit", "Nimzo-Indian Defence", "Petrov Defence", "Queen's Gambit", "Ruy Lopez", "Scotch Game"]  # fmt: skip
    return rows(
        "eco|opening|moves",
        ((f"{'ABCDE'[i % 5]}{10 + i}", n, f"1. e4 e{i % 2 + 5} 2. Nf3") for i, n in enumerate(named)),
    )


@harmless
def test_coverage(rng: random.Random) -> Table:
    return rows(
        "file|statements|missing|branches|coverage",
        (
            (f"src/{rng.choice(['core', 'io', 'cli'])}/module_{i}.py", n := rng.randrange(20, 900), rng.randrange(0, 20),
             rng.randrange(0, 200), round(100 - 1000 / (n + 10), 1))
            for i in range(70)
        ),
    )  # fmt: skip


@harmless
def train_timetable(rng: random.Random) -> Table:
    return rows(
        "trip_id|stop_id|stop_sequence|arrival_time|departure_time",
        (
            (
                f"T{t}",
                f"ST{s}",
                s,
                f"{5 + t % 18:02d}:{(7 * s) % 60:02d}:00",
                f"{5 + t % 18:02d}:{(7 * s + 1) % 60:02d}:00",
            )
            for t in range(40)
            for s in range(1, 9)
        ),
    )


@harmless
def mime_types(_: random.Random) -> Table:
    listed = "html text/html,css text/css,json application/json,pdf application/pdf,png image/png,svg image/svg+xml,csv text/csv,zip application/zip"
    return rows("extension|mime_type", (entry.split(" ") for entry in listed.split(",")))


@harmless
def time_zones(_: random.Random) -> Table:
    listed = "Africa/Cairo 2,Africa/Nairobi 3,America/Lima -5,America/Denver -7,Asia/Tokyo 9,Asia/Kolkata 5.5,Europe/Paris 1,Europe/Oslo 1,Australia/Perth 8"
    return rows("timezone|utc_offset", (entry.split(" ") for entry in listed.split(",")))


@harmless
def web_pages(rng: random.Random) -> Table:
    return rows(
        "page|topic|views|clicks|published",
        (
            (f"/{rng.choice(['guide', 'news', 'docs'])}/{i}", rng.choice(["solar power", "cheese", "ferries"]),
             rng.randrange(10, 10**6), rng.randrange(0, 9000), day(2 * i))
            for i in range(120)
        ),
    )  # fmt: skip


@harmless
def data_dictionary(_: random.Random) -> Table:
    listed = ("depth decimal yes 12.5,station text yes A-17,ph decimal no 7.1,flow decimal no 0.8,valve boolean no true,"
              "sampled date yes 2021-05-04,method text no grab,turbidity decimal no 3.4")  # fmt: skip
    return rows("parameter|datatype|required|example", (entry.split(" ") for entry in listed.split(",")))
