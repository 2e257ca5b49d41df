"""What schemathesis has to know of Earshot that no document tells. The rules are those of the wire contract, section 2.

EARSHOT_DEMO names the workbench's demo.json; EARSHOT_KEYLESS is set for the run without a key.
"""

import datetime
import itertools
import json
import os
import urllib.error
import urllib.request
import zlib

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoverageScenario

with open(os.environ["EARSHOT_DEMO"], encoding="utf-8") as demo:
    DEMO = json.load(demo)
KEYLESS = "EARSHOT_KEYLESS" in os.environ
ORGANIZATION = "x-earshot-organization-id"
RATE = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"]


def post(path, body, headers=None):
    headers = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(DEMO["baseUrl"] + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return response.read()


def own():
    """The workspace of the admin key, and mentions that it has: demo.json does not say which it is."""
    for organization in DEMO["workspaces"].values():
        headers = {"Authorization": f"Bearer {DEMO['keys']['admin']}", ORGANIZATION: organization}
        try:
            return organization, json.loads(post("/api/v2/mentions", {}, headers))["data"]
        except urllib.error.HTTPError as refused:
            if refused.code != 403:
                raise
    raise SystemExit("the admin key of demo.json is of none of its workspaces")


WORKSPACE, MENTIONS = own()
if not MENTIONS:
    raise SystemExit("the workspace of the admin key has no mentions to ask for")

# A keyword of the workspace.
KEYWORD = next(m["keywordId"] for m in MENTIONS if "keywordId" in m)

# Values that exist, by place and name. What is made up never hits one and would only ever be refused.
KNOWN = {
    "headers": {ORGANIZATION: [WORKSPACE]},
    "query": {"id": [text for m in MENTIONS for text in (m["sourceId"], str(m["id"]))]},
    "path": {"sourceId": [m["sourceId"] for m in MENTIONS], "file": ["index.html", "page.js", "page.css", "icon.svg"]},
}


def known(place, values):
    """Puts an existing value into the place of three in four that were made up: of the same ones in every run."""
    for name, pool in KNOWN[place].items():
        made_up = values.get(name) if values else None
        if isinstance(made_up, str) and made_up:
            draw = zlib.crc32(made_up.encode("utf-8", "surrogatepass"))
            if draw % 4:
                values[name] = pool[draw // 4 % len(pool)]
    return values


@schemathesis.hook
def map_headers(context, headers):
    return known("headers", headers)


@schemathesis.hook
def map_query(context, query):
    return known("query", query)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    return known("path", path_parameters)


CALLS = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Spares three in four of the valid requests what every made-up one would be refused for, and nothing else seen of it:
    an Idempotency-Key of an earlier request, and a cursor that was never handed out."""
    call = next(CALLS)
    if not call % 4 or not case.meta:
        return
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and key and not case.meta.is_negative_at(ParameterLocation.HEADER):
        case.headers["Idempotency-Key"] = key[: -len(str(call))] + str(call)
    if isinstance(case.body, dict) and not case.meta.is_negative_at(ParameterLocation.BODY):
        case.body = possible({name: value for name, value in case.body.items() if name != "cursor"})


def possible(filters):
    """The filters with a keyword that there is, and both dates in their order where there is one."""
    if isinstance(filters, list):
        return [possible(element) for element in filters]
    if not isinstance(filters, dict):
        return filters
    mended = {name: [KEYWORD] if name in ("keyword", "!keyword") else possible(value) for name, value in filters.items()}
    if "startDate" in mended or "endDate" in mended:
        mended.update(startDate="2020-01-01", endDate="2030-01-01")
    return mended


# Requests since the clock was turned, and what it was turned to. Only successes tell how many remain, and hundreds of faulty
# requests may come between two of them.
TURNED = {"calls": 0, "to": datetime.datetime.now(datetime.timezone.utc)}


@schemathesis.hook
def after_call(context, case, response):
    """Turns the workbench's clock to the next hour before the requests of this one, or its exports, are used up."""
    TURNED["calls"] += 1
    if TURNED["calls"] < 450 and not export_limit(response):
        return
    now = (TURNED["to"] + datetime.timedelta(hours=1)).replace(minute=0, second=1)
    TURNED.update(calls=0, to=now)
    post("/_local/clock", {"now": now.strftime("%Y-%m-%dT%H:%M:%SZ")})


def export_limit(response):
    """A workspace has five exports an hour and two at once, which no schema tells."""
    return response.status_code == 429 and "exports" in response.json()["error"]["message"]


def code(response):
    try:
        return response.json()["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return None


def places(response):
    """Where a VALIDATION_ERROR sees its faults, and what they are."""
    return {(detail["path"].rpartition(".")[2], detail["code"]) for detail in response.json()["error"].get("details", [])}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """What is refused rightly, though the schema cannot say so: a cursor that was not handed out, a keyword that there is not, more
    conditions than a query can have, a day that there is not, an end that is before its start, one date without the other, an
    author's handle without a platform, a page that is no author's, an export over its limit."""
    if type(failure).__name__ not in ("RejectedPositiveData", "AcceptedNegativeData"):
        return True
    if response.status_code == 429:
        return not export_limit(response)
    if type(failure).__name__ == "AcceptedNegativeData":
        return True
    given = isinstance(case.body, dict) and "cursor" in case.body or "cursor" in (case.query or {})
    profile = "profileUrl" in (case.query or {}) and case.operation.path.endswith("/by-author")
    if code(response) == "INVALID_INPUT":
        return not given and not profile
    if code(response) in ("MENTION_KEYWORD_UNKNOWN", "FILTER_LIMIT_EXCEEDED"):
        return False
    dates = {(name, fault) for name in ("timestamp", "startDate", "endDate") for fault in ("format", "range", "required")}
    author = {("source", "required"), ("handle", "required")} if case.operation.path.endswith("/by-author") else set()
    return code(response) != "VALIDATION_ERROR" or not places(response) <= dates | author


# Failures of one class at one operation count as the same: each check has its own.
class MissingHeader(Failure):
    """A header of the contract is missing"""


class HourUsedUp(Failure):
    """The hour was used up"""


class WrongMethod(Failure):
    """A wrong method is not answered as the contract has it"""


class LookedAt(Failure):
    """A request without a key was looked at"""


def fail(kind, case, message):
    raise kind(operation=case.operation.label, title=kind.__doc__, message=message)


@schemathesis.check
def headers_of_every_answer(ctx, response, case):
    expected = ["X-Request-Id", "Server-Timing", "Cache-Control", "Strict-Transport-Security", "X-Content-Type-Options"]
    keyed = bool(case.operation.definition.raw.get("security"))
    if keyed and 200 <= response.status_code < 300 or response.status_code == 429:
        expected += RATE
    if response.status_code == 401:
        expected += ["WWW-Authenticate"]
    missing = [name for name in expected if not response.headers.get(name.lower())]
    if missing:
        fail(MissingHeader, case, ", ".join(missing))


@schemathesis.check
def hour_is_not_used_up(ctx, response, case):
    """A 429 would hide what the request should have been answered with."""
    if response.status_code == 429 and not export_limit(response):
        fail(HourUsedUp, case, "after_call did not turn the workbench's clock in time")


@schemathesis.check
def wrong_method_is_not_found(ctx, response, case):
    """A path without the method is 404 NOT_FOUND, and Allow names the methods that it has."""
    data = case.meta.phase.data if case.meta else None
    if getattr(data, "scenario", None) != CoverageScenario.UNSPECIFIED_HTTP_METHOD:
        return
    method = response.request.method
    allowed = {name.strip() for name in ", ".join(response.headers.get("allow") or []).split(",")}
    declared = {name.upper() for name in case.operation.schema[case.operation.path]}
    if response.status_code != 404 or code(response) != "NOT_FOUND" or not declared <= allowed or method in allowed:
        fail(WrongMethod, case, f"{method}: {response.status_code}, Allow: {', '.join(sorted(allowed)) or 'missing'}")


@schemathesis.check
def key_comes_first(ctx, response, case):
    """Without a key nothing is said of a request but that it lacks one, whatever else is wrong with it."""
    keyed = bool(case.operation.definition.raw.get("security"))
    if KEYLESS and keyed and response.status_code != 401 and code(response) != "NOT_FOUND":
        fail(LookedAt, case, f"answered {response.status_code} {code(response)}")
