"""Public tables whose k is known: every one of them must come out."""

import pytest

from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import encode
from privaudit.risk.codes.markers import markers_as_missing
from tests.helpers.paths import third_party

STUDENTS = ("Teacher", "Gender", "Ethnic", "Freeredu", "wesson")
ADULT = ("age", "education", "occupation", "relationship", "sex", "native-country")
AIRLINE = (
    "Gender",
    "Customer Type",
    "Age",
    "Type of Travel",
    "Class",
    "Flight Distance",
    "Departure Delay in Minutes",
    "Arrival Delay in Minutes",
)
DRUGS = ("Age", "Sex", "BP", "Cholesterol", "Na_to_K")
STROKE = (
    "gender",
    "age",
    "hypertension",
    "heart_disease",
    "ever_married",
    "work_type",
    "Residence_type",
    "smoking_status",
)
ANJANA = ("age", "education", "marital-status", "occupation", "sex", "native-country")

KNOWN = [
    ("pycanon_kanon/data/processed/StudentsMath_Score_k2.csv", STUDENTS, 2),
    ("pycanon_kanon/data/processed/StudentsMath_Score_k5.csv", STUDENTS, 5),
    ("pycanon_kanon/data/processed/StudentsMath_Score_k7.csv", STUDENTS, 7),
    ("pycanon_kanon/data/processed/adult_anonymized_3.csv", ADULT, 3),
    ("pycanon_kanon/data/processed/adult_anonymized_10.csv", ADULT, 10),
    ("pycanon_kanon/data/processed/adult_anonymized_20.csv", ADULT, 20),
    ("pycanon_kanon/data/processed/airline_passenger_sat_k5.csv", AIRLINE, 5),
    ("pycanon_kanon/data/processed/drugs_k5.csv", DRUGS, 5),
    ("pycanon_kanon/data/processed/hospital_anonymized.csv", ("age", "gender", "city"), 2),
    ("pycanon_kanon/data/processed/stroke_k2.csv", STROKE, 2),
    ("pycanon_kanon/data/processed/stroke_k5.csv", STROKE, 5),
    ("pycanon_kanon/data/processed/stroke_k10.csv", STROKE, 10),
    ("pycanon_kanon/data/processed/stroke_k15.csv", STROKE, 15),
    ("pycanon_kanon/data/processed/stroke_k19.csv", STROKE, 19),
    ("pycanon_kanon/data/processed/stroke_k20.csv", STROKE, 22),  # its name understates it
    ("pycanon_kanon/data/processed/stroke_k22.csv", STROKE, 22),
    ("pycanon_kanon/data/processed/stroke_k25.csv", STROKE, 27),  # its name understates it
    ("anjana/data/adult_k10.csv", ANJANA, 10),
]


@pytest.mark.shared
@pytest.mark.parametrize(("file", "quasi", "k"), KNOWN)
def test_known_k(file, quasi, k):
    """Whether suppression markers are a value or missing makes no difference to the smallest class here."""
    import pyarrow.csv as csv

    from privaudit.source.memory.arrow import from_arrow

    path = third_party(file)
    names = csv.read_csv(path).column_names
    options = csv.ConvertOptions(column_types=dict.fromkeys(names, "string"), null_values=[""])
    with from_arrow(csv.read_csv(path, convert_options=options)) as dataset:
        coded = encode(dataset, quasi)
    for table in (coded, markers_as_missing(coded)[0]):
        assert ClassSizes.of(table.weights, n_rows=table.n_rows).k_min == k
