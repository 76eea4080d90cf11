// Write labelled tables of faker.js, which shares no code and no lists with Faker for Python, and their labels.
//
//     npm install @faker-js/faker@10.6.0
//     node benchmarks/generated/faker_js.cjs FOLDER
//
// Customers of 24 locales under column names of their language, and exports of a shop, a bank, a clinic, an employer and
// others. A column is defined with its label: name, entity type, role, values, and roles that are right as well.
const fs = require("fs");
const path = require("path");
const {allFakers, faker: en} = require("@faker-js/faker");

const folder = process.argv[2];
fs.mkdirSync(folder, {recursive: true});
const labels = {};
const sources = {};

const D = "direct";
const Q = "quasi";
const S = "sensitive";
const N = "none";
const C = (name, entity, role, make, alt = []) => ({name, entity, role, make, alt});
const pick = (values) => en.helpers.arrayElement(values);
const iso = (date) => date.toISOString().slice(0, 10);
const dmy = (date) => iso(date).split("-").reverse().join(".");
const mdy = (date) => iso(date).replace(/(\d+)-(\d+)-(\d+)/, "$2/$3/$1");

function quoted(value) {
  const text = value == null ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function table(file, seed, n, columns, source) {
  for (const one of Object.values(allFakers)) {
    one.seed(seed);
    one.setDefaultRefDate("2025-06-01T00:00:00Z");
  }
  const rows = [columns.map((column) => column.name)];
  for (let i = 0; i < n; i++) rows.push(columns.map((column) => column.make(i)));
  fs.writeFileSync(path.join(folder, file), rows.map((row) => row.map(quoted).join(",") + "\n").join(""));
  labels[file] = Object.fromEntries(columns.map((c) => [c.name, {entity: c.entity, role: c.role, alt_roles: c.alt}]));
  sources[file] = source;
}

// customers in 16 locales
const loc = {
  de: ["Kundennr", "Vorname", "Nachname", "Strasse", "PLZ", "Ort", "Geburtsdatum", "Telefon", "E-Mail", "Beruf"],
  fr: ["num_client", "prenom", "nom", "adresse", "code_postal", "ville", "date_naissance", "tel", "courriel", "metier"],
  es: ["id_cliente", "nombre", "apellido", "direccion", "cp", "ciudad", "fecha_nac", "telefono", "correo", "puesto"],
  it: ["codice", "nome", "cognome", "indirizzo", "cap", "citta", "data_nascita", "cellulare", "email", "professione"],
  pt_BR: [
    "cod_cliente",
    "nome",
    "sobrenome",
    "endereco",
    "cep",
    "cidade",
    "dt_nascimento",
    "celular",
    "email",
    "cargo",
  ],
  pl: ["nr_klienta", "imie", "nazwisko", "ulica", "kod", "miasto", "data_ur", "telefon", "email", "zawod"],
  nl: [
    "klantnr",
    "voornaam",
    "achternaam",
    "adres",
    "postcode",
    "plaats",
    "geboortedatum",
    "telefoon",
    "email",
    "functie",
  ],
  sv: ["kundnr", "fornamn", "efternamn", "adress", "postnr", "ort", "fodelsedatum", "telefon", "epost", "yrke"],
  tr: ["musteri_no", "ad", "soyad", "adres", "posta_kodu", "sehir", "dogum_tarihi", "telefon", "eposta", "meslek"],
  ru: ["номер", "имя", "фамилия", "адрес", "индекс", "город", "дата_рождения", "телефон", "почта", "должность"],
  uk: ["номер", "імʼя", "прізвище", "адреса", "індекс", "місто", "дата_народження", "телефон", "пошта", "посада"],
  ja: ["顧客番号", "名", "姓", "住所", "郵便番号", "市区町村", "生年月日", "電話番号", "メール", "職業"],
  ko: ["고객번호", "이름", "성", "주소", "우편번호", "도시", "생년월일", "전화번호", "이메일", "직업"],
  zh_CN: ["客户编号", "名", "姓", "地址", "邮编", "城市", "出生日期", "电话", "邮箱", "职业"],
  ar: ["cust_no", "fname", "lname", "addr", "postal", "town", "dob", "mobile", "mail", "job"],
  cs_CZ: ["cislo", "jmeno", "prijmeni", "ulice", "psc", "mesto", "datum_nar", "telefon", "email", "povolani"],
  en_GB: ["cust_ref", "forename", "surname", "addr1", "pcode", "town", "d_o_b", "tel_no", "email_addr", "occupation"],
  en_IN: ["CUST_ID", "FIRST_NM", "LAST_NM", "ADDR", "PIN_CODE", "CITY_NM", "BIRTH_DT", "MOB_NO", "EMAIL_ID", "OCC"],
  hu: [
    "ugyfelszam",
    "keresztnev",
    "vezeteknev",
    "cim",
    "irsz",
    "varos",
    "szuletesi_datum",
    "telefon",
    "email",
    "foglalkozas",
  ],
  ro: ["nr_client", "prenume", "nume", "adresa", "cod_postal", "oras", "data_nasterii", "telefon", "email", "ocupatie"],
  fi: ["asnro", "etunimi", "sukunimi", "osoite", "postinro", "kaupunki", "syntymaaika", "puhelin", "sposti", "ammatti"],
  el: ["kodikos", "onoma", "eponymo", "diefthinsi", "tk", "poli", "im_gennisis", "tilefono", "email", "epaggelma"],
  vi: ["ma_kh", "ten", "ho", "dia_chi", "ma_buu_dien", "thanh_pho", "ngay_sinh", "dien_thoai", "email", "nghe_nghiep"],
  id_ID: [
    "no_pelanggan",
    "nama_depan",
    "nama_belakang",
    "alamat",
    "kode_pos",
    "kota",
    "tgl_lahir",
    "no_hp",
    "email",
    "pekerjaan",
  ],
};
let seed = 100;
for (const [l, h] of Object.entries(loc)) {
  const f = allFakers[l];
  seed++;
  const J = () => {
    try {
      return f.person.jobTitle();
    } catch (e) {
      return en.person.jobTitle();
    }
  };
  table(
    `customers_${l}.csv`,
    seed,
    160,
    [
      C(h[0], "PERSON_ID", D, (i) => 200000 + ((i * 37) % 90000) + seed * 13, [N]),
      C(h[1], "FIRST_NAME", D, () => f.person.firstName()),
      C(h[2], "LAST_NAME", D, () => f.person.lastName()),
      C(h[3], "STREET_ADDRESS", D, () => f.location.streetAddress()),
      C(h[4], "POSTAL_CODE", Q, () => f.location.zipCode()),
      C(h[5], "CITY", Q, () => f.location.city()),
      C(h[6], "DATE_OF_BIRTH", Q, () => dmy(f.date.birthdate({min: 18, max: 88, mode: "age"}))),
      C(h[7], "PHONE", D, () => f.phone.number()),
      C(h[8], "EMAIL", D, () => en.internet.email()),
      C(h[9], "OCCUPATION", Q, J, [N]),
    ],
    "faker.js",
  );
}
const u = () => en.string.uuid();
const people = Array.from({length: 70}, u);
table(
  "orders.csv",
  1,
  250,
  [
    C("id", "RECORD_ID", N, u),
    C("customer", "PERSON_ID", D, () => pick(people)),
    C("placedAt", "DATE_EVENT", Q, () => en.date.past().toISOString(), [N]),
    C("status", "NONE", N, () => pick(["paid", "shipped", "returned"])),
    C("sku", "NONE", N, () => "SKU-" + en.string.numeric(5)),
    C("qty", "NONE", N, () => en.number.int({min: 1, max: 9})),
    C("total", "FINANCIAL", S, () => en.commerce.price(), [N]),
    C("card", "CREDIT_CARD", D, () => en.finance.creditCardNumber("visa")),
    C(
      "cardExp",
      "CARD_EXPIRY",
      S,
      () => en.number.int({min: 1, max: 12}).toString().padStart(2, "0") + "/" + en.number.int({min: 25, max: 30}),
    ),
    C("shipCountry", "COUNTRY", Q, () => en.location.countryCode(), [N]),
  ],
  "faker.js shop",
);
table(
  "bank.csv",
  2,
  250,
  [
    C("txn_id", "RECORD_ID", N, () => en.string.alphanumeric(12)),
    C("acct", "BANK_ACCOUNT", D, () => en.finance.accountNumber(10)),
    C("iban", "IBAN", D, () => en.finance.iban()),
    C("bic", "BANK_CODE", N, () => en.finance.bic()),
    C("amt", "FINANCIAL", S, () => en.finance.amount(), [N]),
    C("ccy", "CURRENCY", N, () => en.finance.currencyCode()),
    C("value_date", "DATE_EVENT", Q, () => iso(en.date.past()), [N]),
    C("payer", "PERSON_NAME", D, () => en.person.fullName()),
    C("memo", "FREE_TEXT", S, () => en.finance.transactionDescription(), [N]),
    C("routing", "BANK_CODE", N, () => en.finance.routingNumber()),
  ],
  "faker.js shop",
);
table(
  "web_users.csv",
  3,
  250,
  [
    C("_id", "PERSON_ID", D, () => en.database.mongodbObjectId(), [N]),
    C("userName", "USERNAME", D, () => en.internet.username()),
    C("passwordHash", "PASSWORD", S, () => en.string.hexadecimal({length: 64, prefix: "", casing: "lower"}), [D, N]),
    C("avatar", "URL", N, () => en.image.avatar(), [D]),
    C("lastIp", "IP_ADDRESS", D, () => en.internet.ipv4()),
    C("ua", "USER_AGENT", N, () => en.internet.userAgent(), [Q]),
    C("mac", "MAC_ADDRESS", D, () => en.internet.mac()),
    C("createdAt", "DATE_EVENT", Q, () => en.date.past().getTime(), [N]),
    C("tz", "TIMEZONE", N, () => en.location.timeZone(), [Q]),
    C("locale", "LANGUAGE", Q, () => pick(["en", "de", "fr", "es"]), [N]),
    C("bio", "FREE_TEXT", S, () => en.person.bio(), [N, Q]),
  ],
  "faker.js web",
);
table(
  "patients.csv",
  4,
  300,
  [
    C("pat_no", "PERSON_ID", D, (i) => 10000 + i * 3),
    C("nm", "PERSON_NAME", D, () => en.person.fullName()),
    C("dob", "DATE_OF_BIRTH", Q, () => mdy(en.date.birthdate())),
    C("sx", "GENDER", Q, () => pick(["M", "F"])),
    C("mstat", "MARITAL_STATUS", Q, () => pick(["S", "M", "D", "W"])),
    C("zip", "POSTAL_CODE", Q, () => en.location.zipCode("#####")),
    C("ssn", "SSN", D, () => en.helpers.replaceSymbols("###-##-####")),
    C("icd", "MEDICAL", S, () => pick(["E11.9", "I10", "J45.909", "F32.1", "M54.5"])),
    C("sbp", "MEDICAL", S, () => en.number.int({min: 95, max: 190})),
    C("wt_kg", "BIOMETRIC", S, () => en.number.float({min: 45, max: 130, fractionDigits: 1}), [Q]),
    C("adm", "DATE_EVENT", Q, () => mdy(en.date.recent({days: 300})), [N]),
    C("ward", "NONE", N, () => pick(["A1", "A2", "ICU", "ER"]), [Q]),
  ],
  "faker.js clinic",
);
table(
  "hr.csv",
  5,
  300,
  [
    C("EmpNo", "PERSON_ID", D, (i) => 70000 + i * 11),
    C("Name", "PERSON_NAME", D, () => `${en.person.lastName()}, ${en.person.firstName()}`),
    C("JobTitle", "OCCUPATION", Q, () => en.person.jobTitle(), [N]),
    C("Dept", "DEPARTMENT", Q, () => en.commerce.department(), [N]),
    C("HireDate", "DATE_EVENT", Q, () => iso(en.date.past({years: 20})), [N]),
    C("Salary", "INCOME", S, () => en.number.int({min: 28000, max: 180000})),
    C("Mgr", "PERSON_NAME", D, () => pick(["Olsen, Kari", "Brown, Lee", "Rossi, Anna", "Diaz, Omar", "Meyer, Jan"]), [
      Q,
    ]),
    C("Rating", "NONE", N, () => en.number.int({min: 1, max: 5}), [S]),
    C("Remote", "NONE", N, () => pick(["Y", "N"])),
    C("WorkEmail", "EMAIL", D, () => en.internet.email()),
    C("EthnicGroup", "RACE_ETHNICITY", Q, () => pick(["White", "Black", "Asian", "Hispanic", "Mixed"]), [S]),
  ],
  "faker.js hr",
);
table(
  "vehicles.csv",
  6,
  250,
  [
    C("plate", "LICENSE_PLATE", D, () => en.vehicle.vrm()),
    C("vin", "VEHICLE_ID", D, () => en.vehicle.vin(), [Q]),
    C("make", "NONE", N, () => en.vehicle.manufacturer()),
    C("model", "NONE", N, () => en.vehicle.model()),
    C("fuel", "NONE", N, () => en.vehicle.fuel()),
    C("colour", "NONE", N, () => en.vehicle.color()),
    C("keeper", "PERSON_NAME", D, () => en.person.fullName()),
    C("keeper_postcode", "POSTAL_CODE", Q, () => allFakers.en_GB.location.zipCode()),
    C("first_reg", "DATE_EVENT", Q, () => iso(en.date.past({years: 15})), [N]),
  ],
  "faker.js register",
);
table(
  "products.csv",
  7,
  200,
  [
    C("product_id", "RECORD_ID", N, (i) => i + 1, [D]),
    C("product", "NONE", N, () => en.commerce.productName()),
    C("category", "NONE", N, () => en.commerce.department()),
    C("price", "NONE", N, () => en.commerce.price(), [S]),
    C("ean", "NONE", N, () => en.string.numeric(13)),
    C("supplier", "ORGANISATION", N, () => en.company.name()),
    C("stock", "NONE", N, () => en.number.int({max: 900})),
    C("description", "NONE", N, () => en.commerce.productDescription(), [S]),
  ],
  "faker.js shop",
);
table(
  "books.csv",
  8,
  200,
  [
    C("isbn", "NONE", N, () => en.commerce.isbn()),
    C("title", "NONE", N, () => en.book.title()),
    C("author", "PERSON_NAME", D, () => en.book.author(), [N]),
    C("genre", "NONE", N, () => en.book.genre()),
    C("publisher", "ORGANISATION", N, () => en.book.publisher()),
    C("year", "NONE", N, () => en.number.int({min: 1950, max: 2024}), [Q]),
    C("shelf", "NONE", N, () => pick(["A", "B", "C"]) + en.number.int({max: 40})),
  ],
  "faker.js library",
);
table(
  "tracks.csv",
  9,
  200,
  [
    C("track", "NONE", N, () => en.music.songName()),
    C("artist", "NONE", N, () => en.music.artist(), [D]),
    C("album", "NONE", N, () => en.music.album()),
    C("genre", "NONE", N, () => en.music.genre()),
    C("seconds", "NONE", N, () => en.number.int({min: 90, max: 600})),
    C("plays", "NONE", N, () => en.number.int({max: 100000})),
  ],
  "faker.js library",
);
table(
  "sensors.csv",
  10,
  300,
  [
    C("dev", "DEVICE_ID", N, () => pick(["s-01", "s-02", "s-03", "s-04"]), [D]),
    C("ts", "DATE_EVENT", Q, () => Math.floor(en.date.recent().getTime() / 1000), [N]),
    C("temp_c", "NONE", N, () => en.number.float({min: -5, max: 35, fractionDigits: 2})),
    C("hum", "NONE", N, () => en.number.float({min: 10, max: 99, fractionDigits: 1})),
    C("batt", "NONE", N, () => en.number.int({max: 100})),
    C("fw", "VERSION", N, () => en.system.semver()),
    C("lat", "LATITUDE", Q, () => en.location.latitude({min: 47, max: 48, precision: 5}), [N]),
    C("lng", "LONGITUDE", Q, () => en.location.longitude({min: 8, max: 9, precision: 5}), [N]),
  ],
  "faker.js iot",
);
table(
  "commits.csv",
  11,
  250,
  [
    C("sha", "HASH", N, () => en.git.commitSha()),
    C("author_name", "PERSON_NAME", D, () => en.person.fullName()),
    C("author_email", "EMAIL", D, () => en.internet.email()),
    C("date", "DATE_EVENT", Q, () => en.git.commitDate(), [N]),
    C("branch", "NONE", N, () => en.git.branch()),
    C("message", "FREE_TEXT", S, () => en.git.commitMessage(), [N]),
    C("insertions", "NONE", N, () => en.number.int({max: 900})),
  ],
  "faker.js web",
);
table(
  "tickets.csv",
  12,
  200,
  [
    C("ticket", "RECORD_ID", N, (i) => "T-" + (5000 + i)),
    C("requester", "EMAIL", D, () => en.internet.email()),
    C(
      "body",
      "FREE_TEXT",
      S,
      () =>
        `Hi, this is ${en.person.fullName()}, please call me on ${en.phone.number({style: "international"})}. ${en.lorem.sentence()}`,
    ),
    C("meta", "NONE", N, () => JSON.stringify({ip: en.internet.ipv4(), phone: en.phone.number()}), [S, D]),
    C("prio", "NONE", N, () => pick(["low", "mid", "high"])),
    C("opened", "DATE_EVENT", Q, () => iso(en.date.recent({days: 90})), [N]),
  ],
  "faker.js web",
);
table(
  "flights.csv",
  13,
  250,
  [
    C("flight", "NONE", N, () => en.airline.flightNumber({addLeadingZeros: true})),
    C("airline", "ORGANISATION", N, () => en.airline.airline().name),
    C("origin", "NONE", N, () => en.airline.airport().iataCode, [Q]),
    C("record_locator", "RECORD_ID", N, () => en.airline.recordLocator(), [D]),
    C("pax", "PERSON_NAME", D, () => en.person.fullName()),
    C("seat", "NONE", N, () => en.airline.seat(), [Q]),
    C("passport", "PASSPORT", D, () => en.string.alpha({length: 2, casing: "upper"}) + en.string.numeric(7)),
    C("nat", "NATIONALITY", Q, () => en.location.countryCode("alpha-3")),
  ],
  "faker.js travel",
);
table(
  "opaque.csv",
  14,
  300,
  [
    C("c1", "PERSON_NAME", D, () => en.person.fullName()),
    C("c2", "EMAIL", D, () => en.internet.email()),
    C("c3", "AGE", Q, () => en.number.int({min: 18, max: 90})),
    C("c4", "CITY", Q, () => en.location.city()),
    C("c5", "STATE", Q, () => en.location.state({abbreviated: true})),
    C("c6", "INCOME", S, () => en.number.int({min: 15000, max: 150000}), [N]),
    C("c7", "GENDER", Q, () => pick(["male", "female"])),
    C("c8", "NONE", N, () => en.number.float({max: 1, fractionDigits: 4})),
  ],
  "faker.js opaque",
);
table(
  "survey.csv",
  15,
  400,
  [
    C("resp", "ROW_NUMBER", N, (i) => i + 1, [D]),
    C("q1_sex", "GENDER", Q, () => pick([1, 2])),
    C("q2_ageband", "AGE", Q, () => pick(["18-24", "25-34", "35-44", "45-54", "55-64", "65+"])),
    C("q3_educ", "EDUCATION", Q, () => pick(["Primary", "Secondary", "Bachelor", "Master", "PhD"])),
    C("q4_rel", "RELIGION", S, () => pick(["Christian", "Muslim", "Hindu", "None", "Jewish"]), [Q]),
    C("q5_inc", "INCOME", S, () => pick(["<20k", "20-40k", "40-60k", "60-80k", ">80k"])),
    C("q6_vote", "POLITICS", S, () => pick(["Labour", "Conservative", "Green", "None"]), [Q, N]),
    C("q7", "NONE", N, () => pick([1, 2, 3, 4, 5])),
    C("q8", "NONE", N, () => pick([1, 2, 3, 4, 5])),
    C("w", "WEIGHT", N, () => en.number.float({min: 0.4, max: 2.5, fractionDigits: 3})),
  ],
  "faker.js survey",
);

fs.writeFileSync(path.join(folder, "labels.json"), JSON.stringify(labels, null, 1) + "\n");
fs.writeFileSync(path.join(folder, "sources.json"), JSON.stringify(sources, null, 1) + "\n");
console.log(`${Object.keys(labels).length} tables, ${Object.values(labels).flatMap(Object.keys).length} columns`);
