"""What schemathesis has to know of Earshot that no document tells. The rules are those of the wire contract, section 2.

EARSHOT_KEYLESS is set for the run without a key. At its end a run writes into the file EARSHOT_ANSWERS what each operation answered.
"""

import atexit
import itertools
import os
import re
from collections import Counter
from urllib.parse import parse_qs, urlsplit

import refusals
import schemathesis
import workbench
from schemathesis.core.failures import Failure
from schemathesis.generation.meta import CoverageScenario

KEYLESS = "EARSHOT_KEYLESS" in os.environ
if not KEYLESS:
    import possible
    import workspace
RATE = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"]
# Methods by paths, as patterns.
SERVED = {re.compile(re.sub(r"\{[^}]+\}", "[^/]+", re.escape(path).replace(r"\{", "{").replace(r"\}", "}"))): {method.upper() for method in methods}
          for path, methods in workbench.DOCUMENT["paths"].items()}

# Paths that a function of its own serves (web.FunctionOf): a {variable} of another function's path does not take them.
APART = ["/api/v2/keywords/suggestions", "/api/v2/keywords/preview"]

MCP = "/api/mcp/v2"
ANSWERS = {f"{method.upper()} {path}": Counter() for path, methods in workbench.DOCUMENT["paths"].items() for method in methods}
SUCCEEDED = dict.fromkeys(ANSWERS, 0)
ALLOWED = Counter()


@atexit.register
def tell():
    """Two lines for each operation, "GET /api/v2/org 200:12 401:1" and "succeeded 12 GET /api/v2/org", and one for each kind of
    refusal that was right."""
    with open(os.environ["EARSHOT_ANSWERS"], "w", encoding="utf-8") as file:
        for label, statuses in ANSWERS.items():
            print(label, *(f"{status}:{count}" for status, count in sorted(statuses.items())), file=file)
        for label, count in SUCCEEDED.items():
            print("succeeded", count, label, file=file)
        for reason, count in ALLOWED.most_common():
            print("allowed", count, reason, file=file)


CALLS = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Spares three in four of the valid requests, and most of them their Idempotency-Key, what every made-up one would be refused
    for, and nothing else seen of it."""
    call = next(CALLS)
    if KEYLESS or not case.meta or scenario(case) == CoverageScenario.UNSPECIFIED_HTTP_METHOD:
        return
    possible.spare(case)
    if call % 16:
        possible.afresh(case, call)
    if call % 4:
        possible.make(case, call)


def scenario(case):
    return getattr(case.meta.phase.data, "scenario", None) if case.meta else None


@schemathesis.hook
def after_call(context, case, response):
    """Keeps account, and turns the workbench's clock before the requests of this hour, or its exports, are used up."""
    workbench.TURNED["calls"] += 1
    if case.method.upper() == case.operation.method.upper():
        ANSWERS[case.operation.label][response.status_code] += 1
        SUCCEEDED[case.operation.label] += succeeded(response)
        if not KEYLESS:
            keep_account(case, response)
    if workbench.TURNED["calls"] >= 440 or export_limit(response):
        workbench.turn()


def succeeded(response):
    """Whether the request did what it asks for. A page that leads on did, unless it leads back to a client with an error."""
    if response.status_code != 303:
        return 200 <= response.status_code < 300
    return "error" not in parse_qs(urlsplit("".join(response.headers.get("location") or "")).query)


def keep_account(case, response):
    """Remembers what a request made, and forgets what it deleted or did not find."""
    kind = possible.kind_of(case)
    if kind and case.method.upper() == "DELETE" and response.status_code in (200, 404):
        kind.forget(possible.named(case))
    if case.path.startswith("/api/v2/setup/") and response.status_code == 404:
        for draft in workspace.DRAFTS:
            draft.forget((case.path_parameters or {}).get("id") or (case.body.get("draftId") if isinstance(case.body, dict) else None))
    kind = workspace.KINDS.get(case.path.removeprefix("/api/v2").removesuffix("/invite"))
    if kind and case.method.upper() == "POST" and response.status_code == 200:
        made = response.json()
        made = (made["member"] or {}) if "member" in made else made
        if "id" in made:
            kind.remember(made["id"])


def export_limit(response):
    """A workspace has five exports an hour and two at once, which no schema tells."""
    return response.status_code == 429 and "exports" in response.json()["error"]["message"]


def error(response):
    try:
        found = response.json()["error"]
        return found if isinstance(found, dict) else {}
    except (ValueError, KeyError, TypeError):
        return {}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """What is refused rightly, though the schema cannot say so."""
    if type(failure).__name__ not in ("RejectedPositiveData", "AcceptedNegativeData"):
        return True
    if response.status_code == 429:
        return not export_limit(response)
    if type(failure).__name__ == "AcceptedNegativeData":
        return True
    if case.operation.label in refusals.SIGNED and 400 <= response.status_code < 500:
        ALLOWED["signed"] += 1
        return False
    reason = refusals.reason(case.operation.label, case, error(response))
    if reason:
        ALLOWED[reason] += 1
    return not reason


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
    # Of the MCP server's messages, calls of tools alone count.
    free = case.operation.label == refusals.MCP and isinstance(case.body, dict) and case.body.get("method") != "tools/call"
    if keyed and not free and 200 <= response.status_code < 300 or response.status_code == 429:
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
    """A path without the method is 404 NOT_FOUND, and Allow names the methods that it has. The MCP server's is 405."""
    if scenario(case) != CoverageScenario.UNSPECIFIED_HTTP_METHOD:
        return
    method, path = response.request.method, urlsplit(response.request.url).path
    patterns = [re.compile(re.escape(path))] if path in APART else SERVED
    declared = set().union(*(SERVED[pattern] for pattern in patterns if pattern.fullmatch(path)))
    if method in declared:  # by a {variable} that takes the same path
        return
    if path == MCP:  # a client that asks for a stream is told that there is none
        if response.status_code != 405 or error(response).get("code") != "METHOD_NOT_ALLOWED" or response.headers.get("allow") != ["POST"]:
            fail(WrongMethod, case, f"{method}: {response.status_code}, Allow: {response.headers.get('allow')}")
        return
    allowed = {name.strip() for name in ", ".join(response.headers.get("allow") or []).split(",")}
    if response.status_code != 404 or error(response).get("code") != "NOT_FOUND" or not declared <= allowed or method in allowed:
        fail(WrongMethod, case, f"{method}: {response.status_code}, Allow: {', '.join(sorted(allowed)) or 'missing'}")


@schemathesis.check
def key_comes_first(ctx, response, case):
    """Without a key nothing is said of a request but that it lacks one, whatever else is wrong with it."""
    keyed = bool(case.operation.definition.raw.get("security"))
    if KEYLESS and keyed and response.status_code != 401 and error(response).get("code") != "NOT_FOUND":
        fail(LookedAt, case, f"answered {response.status_code} {error(response).get('code')}")
