"""What Earshot refuses rightly though the request is valid by its schema: each reason a schema cannot tell, where it can be one."""

import re
import unicodedata

QUERIES = {"POST /api/v2/analytics/query", "POST /api/v2/analytics/themes"}
READS = {f"GET /api/v2/analytics/{name}" for name in
         ("authors", "dashboard", "keywords", "languages", "sentiment", "share-of-voice", "sources", "tags", "volume")}
FILTERS = QUERIES | {"POST /api/v2/alerts", "PATCH /api/v2/alerts/{id}", "POST /api/v2/alerts/preview"} | {"POST /api/v2/ai/summaries", "POST /api/v2/mentions", "POST /api/v2/mentions/export", "POST /api/v2/feeds", "PATCH /api/v2/feeds/{id}"}
NOTIFICATIONS = {"POST /api/v2/notifications", "PATCH /api/v2/notifications/{id}"}
ALERTS = {"POST /api/v2/alerts", "PATCH /api/v2/alerts/{id}", "POST /api/v2/alerts/preview"}
DESTINATIONS = {"POST /api/v2/feeds", "PATCH /api/v2/feeds/{id}"} | NOTIFICATIONS | ALERTS
# What only who signed it, or who registered, can ask rightly.
SIGNED = {f"{method} {path}" for method, path in (
    ("GET", "/oauth/authorize"), ("POST", "/oauth/authorize"), ("GET", "/oauth/callback"), ("POST", "/oauth/register"),
    ("POST", "/oauth/revoke"), ("POST", "/oauth/token"), ("GET", "/api/v2/unsubscribe"), ("POST", "/api/v2/unsubscribe"))}
KEYWORDS = {"POST /api/v2/keywords", "PATCH /api/v2/keywords/{id}"}
WORKSPACES, INVITE = "POST /api/v2/agency/workspaces", "POST /api/v2/agency/members/invite"
TEST = {"POST /api/v2/notifications/{id}/test"}
CHANNELS = {"GET /api/v2/integrations/slack/channels"}
PROFILE, PROPOSE = "PATCH /api/v2/setup/drafts/{id}", "POST /api/v2/setup/proposals"
RESEND, PERSON = "POST /api/v2/org/members/invitations/{id}/resend", "POST /api/v2/org/members/invite"
# What is not sent again where nothing is sent any more.
DELIVERED = {"POST /api/v2/deliveries/{id}/resend"} | {f"POST /api/v2/{of}/{{id}}/recover" for of in ("alerts", "feeds", "notifications")}
MCP, SUMMARIES = "POST /api/mcp/v2", "POST /api/v2/ai/summaries"
APPLY, CLEANUP = "POST /api/v2/setup/proposals/{id}/apply", "POST /api/v2/setup/cleanup"

# By codes that say what was wrong.
CODES = {
    "MENTION_KEYWORD_UNKNOWN": FILTERS,  # an id that there is not
    "KEYWORDS_NOT_FOUND": READS,
    "FILTER_LIMIT_EXCEEDED": FILTERS,  # a sum over a query
    "FILTER_CONDITION_LIMIT_EXCEEDED": FILTERS,  # a sum over a feed
    "INVALID_DESTINATION": DESTINATIONS,  # parts that do not go together
    "INVALID_TIMEZONE": DESTINATIONS | READS | QUERIES,  # a list that is not the document's
    "WEBHOOK_URL_INVALID": DESTINATIONS,  # an address within
    "SLACK_CHANNEL_REQUIRED": DESTINATIONS,  # has a code of its own
    "SLACK_NOT_CONNECTED": DESTINATIONS | CHANNELS,  # it is not, here
    "DESTINATION_INDEX_OUT_OF_RANGE": NOTIFICATIONS,  # by another thing
    "ATTENTION_ACTION_NOT_APPLY": {"POST /api/v2/attention/{id}/apply"},  # by what it is
    "NO_DESTINATIONS": TEST,  # by what it is
    "KEYWORD_OPERATOR_SYNTAX": KEYWORDS,  # a syntax
    "ITEM_EXISTS": KEYWORDS | {PERSON},  # one of a name
    "INVALID_DOMAIN": {"PATCH /api/v2/org/company", "POST /api/v2/setup/drafts", WORKSPACES},  # a list that is not the document's
    "FLEX_REQUIRES_CAP": {WORKSPACES},  # parts that go together, and have codes of their own
    "FLEX_REQUIRES_BUDGET": {WORKSPACES},
    "AGENCY_BILLING_NOT_CONFIGURED": {WORKSPACES},  # what the operator has set up
    "INVITE_FANOUT_TOO_LARGE": {INVITE},  # a product
}


def nonsense(label, case, error):
    """Whether INVALID_INPUT can be the answer: a cursor that was not handed out, a page that is no author's, an ETag of something else, a
    notification that is sent to both, a plan that is no larger, or not to be flexible, a draft that something is under way for, a mail
    that another one stands for, or that cannot be sent again at this moment, a destination that is disabled, switched off or gone."""
    query, body = case.query or {}, case.body if isinstance(case.body, dict) else {}
    return (
        "cursor" in query or "cursor" in body
        or label == "GET /api/v2/mentions/by-author" and "profileUrl" in query
        or label in KEYWORDS | NOTIFICATIONS | ALERTS and "If-Match" in (case.headers or {})
        or label in NOTIFICATIONS and ("destinations" in body or "feedDestinationIndex" in body)
        or label == WORKSPACES and body.get("plan") == "agents" and (body.get("flex") or {}).get("enabled") is True
        or label == "POST /upgrade" and query.get("plan") == "pro"
        or label in (PROFILE, PROPOSE, APPLY) and " is still being " in error["message"]
        or label == RESEND and " mail" in error["message"]
        or label in DELIVERED and re.search(r"is (disabled since|deleted|switched off)|no destination of", error["message"]) is not None
    )


LONGEST = {"keyword": 100, "additionalTerms": 100, "excludeWords": 100, "wildcardExcludeWords": 100, "excludeAuthors": 100, "context": 200}
SUBREDDIT, REPOSITORY = r"/?(r/)?[a-z0-9_-]+/?", r"/*[a-z0-9_-]+(/[a-z0-9._-]+)?/*"
NAMES = {"negativeSubreddits": SUBREDDIT, "positiveSubreddits": SUBREDDIT, "negativeRepos": REPOSITORY}

PREFIXES = {"negativeAuthors": "^@*/?(u/)*"}  # what is left out of a name, of which something must remain


def named(body, path):
    """The value at a path as details write it, and its name."""
    key = None
    for step in re.findall(r"[^.\[\]]+", path):
        try:
            body, key = body[int(step)] if isinstance(body, list) else body[step], key if isinstance(body, list) else step
        except (KeyError, IndexError, TypeError, ValueError):
            return None, step
    return body, key


def seen(fault, value, key):
    """Whether a text has the fault that it is refused for, and a schema would count or show it otherwise."""
    if not isinstance(value, str):
        return False
    if fault in ("pattern", "control_characters"):
        return any(unicodedata.category(c) == "Cc" for c in value)
    if fault == "max_length":
        return len(value.strip()) > LONGEST.get(key, 1 << 20) or key in ("email", "emails") and len(value.partition("@")[0]) > 64
    if fault == "operator":
        return re.search(r"[^\w\s]|\b(AND|OR)\b", value) is not None
    if fault == "format" and key in NAMES:
        return re.fullmatch(NAMES[key], value.strip().lower()) is None
    if fault == "min_length" and key in NAMES | PREFIXES:
        value = re.sub(PREFIXES.get(key, "^/*(r/)?"), "", value.strip(), flags=re.IGNORECASE).strip("/")
    return fault in ("min_length", "format") and not any(unicodedata.category(c)[0] in "LNPS" for c in value)


def dated(place, fault):
    """A day that there is not, an end that is before its start."""
    return place in ("timestamp", "startDate", "endDate") and fault in ("format", "range")


def crossed(label, body, detail):
    """An upper bound of a filter that is below the lower one that the refusal names."""
    lower = re.fullmatch(r"Expected a number that is not below (.+)\.", detail["message"])
    if label not in FILTERS or detail["code"] != "range" or not lower:
        return False
    root = detail["path"].partition(".")[0]
    (most, _), (least, _) = named(body, detail["path"]), named(body, f"{root}.{lower[1]}")
    return isinstance(most, (int, float)) and isinstance(least, (int, float)) and most < least


def selected(label, place, fault):
    """What lists separated by commas hold."""
    return label in READS and (place, fault) in {("keywordIds", "type"), ("platforms", "max_length")} | \
        {(place, "enum") for place in ("tag", "sentiment", "relevance")}


def nameless(label, place, fault):
    """An author's handle without a platform, or neither."""
    return label == "GET /api/v2/mentions/by-author" and fault == "required" and place in ("source", "handle")


def chosen(label, fault):
    """A ref that the proposal does not have, or that is there twice; a keyword that is named twice, or by what is no id."""
    return label == APPLY and fault in ("unknown", "duplicate", "conflict", "keyword_not_applied") or \
        label == CLEANUP and fault in ("range", "duplicate")


def together(label, place, fault):
    """A cap or a budget of what is not enabled."""
    return label == WORKSPACES and fault == "unexpected" and place in ("capMentions", "budgetCents")


def watched(label, place, fault):
    """A feed and a filter, or neither; parts of a condition that do not go together, or could never hold; a digest of an alert; two
    owners of deliveries."""
    return label in ALERTS and place in ("feedId", "filters", "value", "minimum", "baseline", "frequency") or \
        label == "GET /api/v2/deliveries" and place == "alertId" and fault == "exclusive"


def reason(label, case, error):
    """Why the refusal of a valid request is right, in a word; None when it is not."""
    code = error.get("code")
    if label == MCP and isinstance(code, int):
        return "JSON-RPC"  # any object is one by the schema: of messages, the MCP specification tells
    if label in CODES.get(code, ()):
        return code
    if code == "INVALID_INPUT" and nonsense(label, case, error):
        return code
    if code != "VALIDATION_ERROR":
        return None
    kinds = set()
    for detail in error["details"]:
        value, key = named(case.body, detail["path"])
        key = case.body.get("list") if key == "values" else key
        place = detail["path"].rpartition(".")[2]
        if detail["path"] == "path.id" and str((case.path_parameters or {}).get("id")) in ("None", "null"):
            kinds.add("null")  # a link that was inferred from an id that another object may lack
        elif dated(place, detail["code"]):
            kinds.add("dates")
        elif crossed(label, case.body, detail):
            kinds.add("bounds")
        elif selected(label, place, detail["code"]):
            kinds.add("selection")
        elif nameless(label, place, detail["code"]):
            kinds.add("author")
        elif chosen(label, detail["code"]):
            kinds.add("choice")
        elif watched(label, place, detail["code"]):
            kinds.add("alert")
        elif label == SUMMARIES and (place, detail["code"]) == ("feedId", "conflict"):
            kinds.add("selection")  # a feed and a filter
        elif together(label, place, detail["code"]):
            kinds.add("flex")
        elif label == PROFILE and place == "language" and detail["code"] == "enum":
            kinds.add("language")
        elif seen(detail["code"], value, key):
            kinds.add("text")
        else:
            return None
    return " and ".join(sorted(kinds)) or None
