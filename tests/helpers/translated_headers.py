# ruff: noqa: E501 - a line for each word
"""The column names of invented tables in nine languages besides English.

One dictionary translates tables about things and tables about people: words that both have (date, price, weight, sex)
are the same, so that a language must not decide what a row is.
"""

from __future__ import annotations

Table = dict[str, list[str]]

LANGUAGES = ("de", "fr", "es", "pt", "it", "nl", "pl", "tr", "sv")

_WORDS = """
name | Name | nom | nombre | nome | nome | naam | nazwa | ad | namn
date | Datum | date | fecha | data | data | datum | data | tarih | datum
timestamp | Zeitstempel | horodatage | fecha | data | data | tijdstip | czas | zaman | tid
year | Jahr | année | año | ano | anno | jaar | rok | yıl | år
city | Stadt | ville | ciudad | cidade | città | stad | miasto | şehir | stad
country | Land | pays | país | país | paese | land | kraj | ülke | land
latitude | Breitengrad | latitude | latitud | latitude | latitudine | breedtegraad | latitude | enlem | latitud
longitude | Längengrad | longitude | longitud | longitude | longitudine | lengtegraad | longitude | boylam | longitud
population | Bevölkerung | population | población | população | popolazione | bevolking | ludność | nüfus | befolkning
category | Kategorie | catégorie | categoría | categoria | categoria | categorie | kategoria | kategori | kategori
price | Preis | prix | precio | preço | prezzo | prijs | cena | fiyat | pris
stock | Lagerbestand | stock | existencias | estoque | giacenza | voorraad | zapas | stok | lagersaldo
weight | Gewicht | poids | peso | peso | peso | gewicht | waga | ağırlık | vikt
height | Höhe | hauteur | altura | altura | altezza | hoogte | wysokość | yükseklik | höjd
width | Breite | largeur | anchura | largura | larghezza | breedte | szerokość | genişlik | bredd
colour | Farbe | couleur | color | cor | colore | kleur | kolor | renk | färg
product | Produkt | produit | producto | produto | prodotto | product | produkt | ürün | produkt
food | Lebensmittel | aliment | alimento | alimento | alimento | voedingsmiddel | żywność | gıda | livsmedel
calories | Kalorien | calories | calorías | calorias | calorie | calorieën | kalorie | kalori | kalorier
protein | Eiweiß | protéines | proteínas | proteínas | proteine | eiwitten | białko | protein | protein
fat | Fett | lipides | grasas | gorduras | grassi | vetten | tłuszcz | yağ | fett
carbohydrates | Kohlenhydrate | glucides | carbohidratos | carboidratos | carboidrati | koolhydraten | węglowodany | karbonhidrat | kolhydrater
fibre | Ballaststoffe | fibres | fibra | fibra | fibre | vezels | błonnik | fibre | fiber
building | Gebäude | bâtiment | edificio | edifício | edificio | gebouw | budynek | bina | byggnad
floors | Stockwerke | étages | floors | floors | floors | verdiepingen | floors | floors | våningar
cylinders | Zylinder | cylindres | cilindros | cilindros | cilindri | cilinders | cylindry | silindir | cylindrar
displacement | Hubraum | cylindrée | cilindrada | cilindrada | cilindrata | cilinderinhoud | pojemność | displacement | slagvolym
vehicle | Fahrzeug | véhicule | vehículo | veículo | veicolo | voertuig | pojazd | araç | fordon
fuel | Kraftstoff | carburant | combustible | combustível | carburante | brandstof | paliwo | yakıt | bränsle
humidity | Luftfeuchtigkeit | humidité | humedad | umidade | umidità | luchtvochtigheid | wilgotność | nem | fuktighet
temperature | Temperatur | température | temperatura | temperatura | temperatura | temperatuur | temperatura | sıcaklık | temperatur
precipitation | Niederschlag | précipitations | precipitación | precipitação | precipitazione | neerslag | opady | yağış | nederbörd
wind | Wind | vent | viento | vento | vento | wind | wiatr | rüzgar | vind
season | Saison | saison | temporada | temporada | stagione | seizoen | sezon | sezon | säsong
station | Station | station | estación | estação | stazione | station | stacja | istasyon | station
title | Titel | titre | título | título | titolo | titel | tytuł | başlık | titel
pages | Seiten | pages | páginas | páginas | pagine | pages | strony | sayfa | sidor
votes | Stimmen | voix | votos | votos | voti | stemmen | głosy | oy | röster
party | Partei | parti | partido | partido | partito | partij | partia | parti | parti
sex | Geschlecht | sexe | sexo | sexo | sesso | geslacht | płeć | cinsiyet | kön
age | Alter | âge | edad | idade | età | leeftijd | wiek | yaş | ålder
movie | Film | film | película | filme | film | film | film | film | film
rating | Bewertung | note | valoración | avaliação | voto | beoordeling | ocena | puan | betyg
amount | Betrag | montant | importe | montante | importo | bedrag | kwota | tutar | belopp
balance | Saldo | solde | saldo | saldo | saldo | saldo | saldo | bakiye | saldo
description | Beschreibung | description | descripción | descrição | descrizione | omschrijving | opis | açıklama | beskrivning
distance | Entfernung | distance | distancia | distância | distanza | afstand | odległość | mesafe | avstånd
duration | Dauer | durée | duración | duração | durata | duur | czas | süre | varaktighet
family | Familie | famille | familia | família | famiglia | gezin | rodzina | aile | familj
tree | Baum | arbre | árbol | árvore | albero | boom | drzewo | ağaç | träd
total | Gesamt | total | total | total | totale | totaal | suma | toplam | totalt
result | Ergebnis | résultat | resultado | resultado | risultato | resultaat | wynik | sonuç | resultat
message | Nachricht | message | mensaje | mensagem | messaggio | bericht | wiadomość | mesaj | meddelande
method | Methode | méthode | método | método | metodo | methode | metoda | yöntem | metod
path | Pfad | chemin | ruta | caminho | percorso | pad | ścieżka | yol | sökväg
status | Status | statut | estado | estado | stato | status | status | durum | status
bytes | Bytes | octets | bytes | bytes | byte | bytes | bajty | bayt | byte
time | Zeitpunkt | temps | tiempo | tempo | tempo | tijdstip | czas | zaman | tidpunkt
level | Stufe | niveau | nivel | nível | livello | niveau | poziom | seviye | nivå
logger | Protokoll | journal | registro | registo | registro | logboek | dziennik | günlük | logg
package | Paket | paquet | paquete | pacote | pacchetto | pakket | pakiet | paket | paket
version | Version | version | versión | versão | versione | versie | wersja | sürüm | version
license | Lizenz | licence | licencia | licença | licenza | licentie | licencja | lisans | licens
released | veröffentlicht | publié | publicado | publicado | pubblicato | gepubliceerd | opublikowano | yayınlandı | publicerad
downloads | Downloads | téléchargements | descargas | downloads | download | downloads | pobrania | indirmeler | nedladdningar
size | Größe | taille | tamaño | tamanho | dimensione | grootte | rozmiar | boyut | storlek
file | Datei | fichier | archivo | ficheiro | file | bestand | plik | dosya | fil
statements | Anweisungen | instructions | instrucciones | instruções | istruzioni | statements | instrukcje | statements | statements
missing | fehlend | manquant | faltantes | ausentes | mancanti | ontbrekend | brakujące | eksik | saknade
branches | Zweige | branches | ramas | ramos | rami | takken | gałęzie | dallar | grenar
coverage | Abdeckung | couverture | cobertura | cobertura | copertura | dekking | pokrycie | kapsam | täckning
iterations | Iterationen | itérations | iteraciones | iterações | iterazioni | iteraties | iteracje | yineleme | iterationer
threads | Threads | fils | hilos | threads | thread | threads | wątki | threads | threads
epoch | Epoche | époque | época | época | epoca | epoch | epoka | epoch | epok
step | Schritt | étape | paso | passo | passo | stap | krok | adım | steg
loss | Verlust | perte | pérdida | perda | perdita | verlies | strata | kayıp | förlust
accuracy | Genauigkeit | exactitude | exactitud | exatidão | accuratezza | nauwkeurigheid | dokładność | doğruluk | noggrannhet
learning | Lernen | apprentissage | aprendizaje | aprendizagem | apprendimento | learning | uczenia | öğrenme | inlärning
rate | Rate | taux | tasa | taxa | tasso | rate | rate | oran | rate
currency | Währung | devise | moneda | moeda | valuta | valuta | waluta | para_birimi | valuta
alphabeticcode | alphabetischer_Code | code_alphabétique | código_alfabético | código_alfabético | codice_alfabetico | alfabetische_code | kod_alfabetyczny | alfabetik_kod | alfabetisk_kod
numericcode | numerischer_Code | code_numérique | código_numérico | código_numérico | codice_numerico | numerieke_code | kod_numeryczny | sayısal_kod | numerisk_kod
minorunit | Untereinheit | unité_mineure | unidad_menor | unidade_menor | unità_minore | kleinste_eenheid | mniejsza_jednostka | küçük_birim | mindre_enhet
alpha2 | Sprache | langue | idioma | língua | lingua | taal | język | dil | språk
english | Englisch | anglais | inglés | inglês | inglese | Engels | angielski | İngilizce | engelska
key | Schlüssel | clé | clave | chave | chiave | sleutel | klucz | anahtar | nyckel
page | Seite | page | página | página | pagina | pagina | strona | sayfa | webbsida
topic | Thema | sujet | tema | tema | argomento | onderwerp | temat | konu | ämne
views | Aufrufe | vues | visualizaciones | visualizações | visualizzazioni | weergaven | odsłony | görüntülenme | visningar
clicks | Klicks | clics | clics | cliques | clic | klikken | kliknięcia | tıklama | klick
published | veröffentlicht | publié | publicado | publicado | pubblicato | gepubliceerd | opublikowano | yayınlandı | publicerad
parameter | Parameter | paramètre | parámetro | parâmetro | parametro | parameter | parametr | parametre | parameter
datatype | Datentyp | type_de_données | tipo_de_dato | tipo_de_dados | tipo_di_dati | gegevenstype | typ_danych | veri_tipi | datatyp
required | erforderlich | obligatoire | obligatorio | obrigatório | obbligatorio | verplicht | wymagane | zorunlu | obligatorisk
example | Beispiel | exemple | ejemplo | exemplo | esempio | voorbeeld | przykład | örnek | exempel
state | Bundesland | région | provincia | concelho | provincia | provincie | województwo | bölge | län
"""
DICTIONARY = {
    line.split(" | ")[0]: dict(zip(LANGUAGES, line.split(" | ")[1:], strict=True))
    for line in _WORDS.strip().splitlines()
}

HARMLESS = (
    "world_cities", "products", "named_products", "nutrients", "seattle_weather", "books", "buildings",
    "server_log", "application_log", "packages", "test_coverage", "benchmark_results", "training_log",
    "currencies", "language_codes", "translations", "web_pages", "data_dictionary",
)  # fmt: skip
"""Kinds of harmless tables of whose names the dictionary has all words that matter."""


def translated(table: Table, language: str) -> Table:
    """Return a table whose column names are in another language, as far as the dictionary has the words."""

    def word(text: str) -> str:
        found = DICTIONARY.get(
            {"lat": "latitude", "lng": "longitude", "lon": "longitude", "temp": "temperature"}.get(text, text)
        )
        return text if found is None else found[language]

    return {"_".join(word(part) for part in name.lower().split("_")): values for name, values in table.items()}
