"""Calls that are tried name records that are there: with ids that no record has, nearly every one would end as not found."""

import itertools
import json
import os
import re
import uuid

import schemathesis

with open(os.environ["LEADWIRE_RECORDS"], encoding="utf-8") as file:
    RECORDS = json.load(file)
IDS = RECORDS["ids"]

# Schemathesis learns ids from the answers, but later calls name these records.
RECORD = re.compile("|".join(IDS.values()))
ENDING = re.compile(r"/api/v1/actions/delete_")
ID = re.compile(r"[\w-]{1,100}", re.ASCII)
PHONE = re.compile(r"\+1415\d{7}", re.ASCII)
EMAIL = re.compile(r"jane\.doe.*@example\.com")
counter = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """What is wrong with a value on purpose (no text, empty, too long) stays so."""
    path = case.operation.path
    body = case.body if isinstance(case.body, dict) else {}
    if ENDING.match(path):
        replace(body, dict.fromkeys(body, str(uuid.uuid4())), RECORD)
        return
    real = IDS | {
        "flo_campaign_id": RECORDS["ping_post_id"] if is_ping_post(path, body) else IDS["campaign_id"],
        "flo_supplier_id": IDS["supplier_id"],
    }
    if path == "/api/v1/leads/lookup":
        real["id"] = IDS["lead_id"]
    params = body.get("params")
    for given in (body, case.query, params.get("arguments") if isinstance(params, dict) else None):
        if isinstance(given, dict):
            replace(given, real, ID)
    number = next(counter)
    if path == "/api/v1/ingest":
        replace(body, {"phone": f"+1415{number:07}"}, PHONE)
        replace(body, {"email": f"jane.doe.{number}@example.com"}, EMAIL)
    for given, key in ((body, "idempotency_key"), (case.headers, "Idempotency-Key")):
        value = given.get(key)
        if isinstance(value, str) and 0 < len(value) < 200:
            given[key] = f"{value}-{os.getpid()}-{number}"


def is_ping_post(path, body):
    """Of a lead, only a ping-post campaign reads what it says of its ping."""
    return path == "/api/v1/ping" or any(body.get(key) is not None for key in ("flo_ping_id", "flo_buyer_id"))


def replace(given, real, pattern):
    for key in given.keys() & real.keys():
        if isinstance(given[key], str) and pattern.fullmatch(given[key]):
            given[key] = real[key]
