"""Makes the valid ones of the generated requests possible: they name what there is, and what no schema tells of is in order."""

import re
import unicodedata
from urllib.parse import quote

import programs
import workspace
from refusals import MCP, QUERIES, READS
from schemathesis.core.parameters import ParameterLocation as Location
from workspace import APPLIED, EDITED, EMAIL, FEEDS, KINDS, MATCHED, NOTIFICATIONS, NUMBERS, PROPOSED, READ, WEBHOOK, WORKSPACES, WRITTEN

DESTINED = FEEDS.make()  # a feed with a destination, which nothing changes
TRIED = NOTIFICATIONS.make()  # a notification that can be tried, which nothing changes
FEEDS.kept[str(DESTINED)], NOTIFICATIONS.kept[str(TRIED)] = DESTINED, TRIED
KINDS["/org/grants"] = workspace.Kind("/org/grants", programs.grant)
MAILED = {"GET /api/v2/unsubscribe", "POST /api/v2/unsubscribe"}
ORGANIZATION = "x-earshot-organization-id"
ZONES = ["Europe/Berlin", "UTC", "America/New_York", "Asia/Kolkata"]
PERIOD = {"startDate": "2026-11-01", "endDate": "2026-11-08"}
TOOLS = ["list_feeds", "list_keywords", "list_tags", "get_usage", "get_workspace", "get_global_filters"]
DRAFTS = {
    "GET /api/v2/setup/drafts/{id}": READ, "GET /api/v2/setup/proposals/{id}": READ, "PATCH /api/v2/setup/drafts/{id}": EDITED,
    "POST /api/v2/setup/proposals": PROPOSED, "POST /api/v2/setup/proposals/{id}/apply": APPLIED,
}


def readable(text):
    """The text without control characters and the space around it."""
    return "".join(c for c in text if unicodedata.category(c) != "Cc").strip() or "x"


def words(text):
    """Letters and digits of the text: no operators, and short enough for a term."""
    return " ".join("".join(c if c.isalnum() else " " for c in text).lower().split())[:80].strip() or "x"


def name(text):
    """What a subreddit or the owner of a repository can be called."""
    return re.sub(r"[^a-z0-9]", "", text.lower())[:80] or "golang"


def destinations(made_up):
    """The destinations, with what their types want and no more, one of a type. Slack is not connected."""
    mended = {}
    for one in made_up:
        wanted = WEBHOOK if one["type"] == "WEBHOOK" else EMAIL
        zone = {"timezone": ZONES[len(one["timezone"]) % len(ZONES)]} if one.get("timezone") is not None else {}
        plain = {key: value for key, value in one.items() if key in ("frequency", "deliveryMode", "time", "dayOfWeek")}
        addresses = {"emailDestination": one["emailDestination"]} if wanted is EMAIL and one.get("emailDestination") else {}
        mended[wanted["type"]] = {**plain, **zone, **wanted, **addresses}
    return list(mended.values())


LISTS = {"negativeKeywords": words, "negativeAuthors": words, "negativeSubreddits": name, "positiveSubreddits": name, "negativeRepos": name}
TERMS = dict.fromkeys(["additionalTerms", "excludeWords", "wildcardExcludeWords", "excludeAuthors"], words)


def mended(value, key=None):
    """A part of a body, in which key is its name."""
    match key, value:
        case "keyword" | "!keyword", list():
            return [13]
        case "keyword", str():
            return f"{words(value)} {next(NUMBERS)}"
        case "context", str():
            return readable(value)[:200].strip()
        case "destinations", list():
            return destinations(value)
        case "domain", str():
            return "northwind.example"
        case "view" | "feedId", int():
            return 1
        case _, list() if key in LISTS | TERMS:
            return [(LISTS | TERMS)[key](element) for element in value]
        case _, str():
            return readable(value)
        case _, list():
            return [mended(element) for element in value]
        case _, dict():
            whole = {name: mended(part, name) for name, part in value.items() if name != "cursor"}
            for name, date in (("startDate", "2020-01-01"), ("endDate", "2030-01-01")):
                if name in whole:
                    whole[name] = date
            if {"minXFollowers", "maxXFollowers"} <= whole.keys():
                whole["minXFollowers"], whole["maxXFollowers"] = sorted((whole["minXFollowers"], whole["maxXFollowers"]))
            if "list" in whole and "values" in whole:
                whole["values"] = [LISTS[whole["list"]](text) for text in whole["values"]]
            return whole
    return value


def profile(made_up, draw):
    """The profile: names that can be read, handles of one word, a language that there is."""
    for key, value in made_up.items():
        if key in ("products", "competitors", "industryTerms", "otherNames"):
            made_up[key] = [text[:100].strip() for text in value]
        elif key == "handles":
            made_up[key] = [{**one, "platform": words(one["platform"]), "handle": name(one["handle"])} for one in value]
        elif key == "company":
            made_up[key] = value[:100].strip()
        elif key == "language":
            made_up[key] = ["english", "de", "undetermined"][draw % 3]
    return made_up


def chosen(whole, proposal):
    """The choice of a proposal: of each list so many of the refs as there are in it, and options of the keywords alone, one of each."""
    refs = [keyword["ref"] for keyword in proposal["keywords"]]
    if "keywordRefs" in whole:
        whole["keywordRefs"] = refs = refs[: len(whole["keywordRefs"])]
    else:
        refs = [keyword["ref"] for keyword in proposal["keywords"] if keyword["selectedByDefault"]]
    if "optionIds" in whole:
        options = {option["keywordRef"]: option["id"] for option in proposal["options"] if option["keywordRef"] in refs}
        whole["optionIds"] = list(options.values())[: len(whole["optionIds"])]
    if "feedRefs" in whole:
        whole["feedRefs"] = [feed["ref"] for feed in proposal["feeds"]][: len(whole["feedRefs"])]


def flexible(flex, draw):
    """What goes beyond a plan: its cap and its budget go with it, and with it alone. The demo's agency has a price, or it is refused."""
    return {"enabled": True, "capMentions": 1000 + draw, "budgetCents": 100 + draw} if flex["enabled"] else {"enabled": False}


def invited(whole):
    """People without an account, into a workspace that nothing else is done with, or the same few into all: each has room for 500."""
    everywhere = whole["targetOrgIds"] == "all"
    whole["emails"] = [f"peer{next(NUMBERS) % 20 if everywhere else next(NUMBERS)}@harbour.example" for _ in whole["emails"]]
    if not everywhere:
        whole["targetOrgIds"] = [WORKSPACES.changed]


def body(case, draw):
    """A body as a whole: what of it has to go together."""
    label, whole = case.operation.label, mended(case.body)
    one = MATCHED[draw % len(MATCHED)]
    if label == "POST /api/v2/feedback":
        whole.update(sourceId=one["sourceId"], timestamp=one["timestamp"], source=one["source"], keywordId=one["keywords"][0]["id"])
    elif label == "PATCH /api/v2/mentions/{sourceId}":
        whole.update(postId=one["id"], timestamp=one["timestamp"])
    elif label.endswith(("POST /api/v2/notifications", "PATCH /api/v2/notifications/{id}")):
        if whole.get("destinations"):
            whole["feedDestinationIndex"] = None
        elif whole.get("feedDestinationIndex") is not None:
            whole.update(feedId=DESTINED, feedDestinationIndex=0, destinations=[])
    elif label in QUERIES:
        whole.update(PERIOD if "startDate" in whole else {})
        if "timezone" in whole:
            whole["timezone"] = ZONES[draw % len(ZONES)]
    elif label == "POST /api/v2/ai/summaries":
        whole.update(PERIOD if "startDate" in whole else {})
        whole.pop("filters" if draw % 2 else "feedId", None)
    elif label == "POST /api/v2/search":
        whole.update(query=words(whole["query"]), waitMs=0)
    elif label == "PATCH /api/v2/setup/drafts/{id}":
        whole["profile"] = profile(whole["profile"], draw)
    elif label == "POST /api/v2/setup/proposals":
        whole["draftId"] = PROPOSED.known()
    elif label == "POST /api/v2/setup/proposals/{id}/apply":
        chosen(whole, APPLIED.proposal)
    elif label == "POST /api/v2/agency/workspaces" and "flex" in whole:
        whole["flex"] = flexible(whole["flex"], draw)
    elif label == "POST /api/v2/agency/members/invite":
        invited(whole)
    elif label == "POST /api/v2/setup/cleanup" and "keywordIds" in whole:
        whole["keywordIds"] = workspace.waiting()[: len(whole["keywordIds"])]
    return whole


def message(draw):
    """A message to the MCP server: the list of tools, or a call of one that takes no arguments."""
    call = {"method": "tools/call", "params": {"name": TOOLS[draw % len(TOOLS)], "arguments": {}}} if draw % 3 else {"method": "tools/list", "params": {}}
    return {"jsonrpc": "2.0", "id": draw, **call}


def query(case, draw):
    """The values of a query."""
    values, one, writer = {**case.query}, MATCHED[draw % len(MATCHED)], WRITTEN[draw % len(WRITTEN)]
    if case.operation.label in READS:
        allowed = {**PERIOD, "timezone": ZONES[draw % len(ZONES)], "keywordIds": ["13"], "tag": ["none", "hiring"], "sentiment": ["Negative"],
                   "relevance": [str(draw % 3), "none"]}
        return {key: allowed.get(key, value) for key, value in values.items()}
    match case.operation.label:
        case "GET /api/v2/mentions/by-id":
            values["id"] = one["sourceId"] if draw % 2 else str(one["id"])
        case "GET /api/v2/mentions/by-author":
            values = {"limit": values["limit"]} if "limit" in values else {}
            values.update(source=writer["source"], handle=writer["author"])
        case "GET /api/v2/deliveries":
            values.update({key: str(one) for key, one in (("feedId", DESTINED), ("notificationId", TRIED)) if key in values})
        case "DELETE /api/v2/feedback":
            values.update(sourceId=one["sourceId"], keywordId=one["keywords"][0]["id"])
            values.update({key: one[key] for key in ("timestamp", "source") if key in values})
        case "GET /upgrade" | "POST /upgrade" if "token" in values:
            values["token"] = workspace.upgrade_token()
    return values


def path(case, draw):
    """The variable of a path; empty where it is as good as any."""
    label = case.operation.label
    match label.partition("/api/v2")[2]:
        case "/mentions/{sourceId}":
            return {"sourceId": quote(MATCHED[draw % len(MATCHED)]["sourceId"], safe="")}
        case "/docs/{file}":
            return {"file": ["index.html", "page.js", "page.css", "icon.svg"][draw % 4]}
        case "/keywords/suggestions/{id}/accept":
            return {"id": workspace.SUGGESTIONS[0]}
        case "/keywords/suggestions/{id}/reject":
            return {"id": workspace.SUGGESTIONS[1]}
        case "/attention/{id}/apply" if draw % 2:
            return {"id": programs.broken()}
        case "/attention/{id}/dismiss" | "/attention/{id}/apply":
            return {"id": workspace.ATTENTION[draw % len(workspace.ATTENTION)]}
        case "/mentions/exports/{exportId}" if case.meta.phase.name.value in ("fuzzing", "stateful"):
            return {"exportId": workspace.export()}
        case "/deliveries/{id}" | "/deliveries/{id}/resend":
            return {"id": workspace.delivery()}
        case "/search/{searchId}":
            return {"searchId": workspace.search()}
        case "/notifications/{id}/test":
            return {"id": TRIED}
    if label in DRAFTS:
        return {"id": DRAFTS[label].known()}
    kind = kind_of(case)
    return {variable(case): kind.known(named(case), case.method.upper(), draw)} if kind else {}


def variable(case):
    """What the path calls its variable; it has one at most."""
    return case.path.partition("{")[2].partition("}")[0]


def named(case):
    """What the path names."""
    return case.path_parameters.get(variable(case))


def kind_of(case):
    """What the id in the path is of."""
    return KINDS.get(case.path.removeprefix("/api/v2").partition("/{")[0]) if variable(case) else None


def connect(case, draw):
    """Makes a request of a program, or of the browser in which a member lets it in, right: what belongs together was drawn together."""
    match case.operation.label:
        case "GET /oauth/authorize" if draw % 2:
            case.query, case.cookies = programs.shown()
        case "GET /oauth/authorize":
            case.query = programs.asking()
        case "GET /oauth/callback":
            case.query, case.cookies = programs.signed_in()
        case "POST /oauth/authorize":
            case.body, case.cookies = programs.deciding(["approve", "deny"][draw % 2])
        case "POST /oauth/token":
            case.body = programs.refreshing() if draw % 2 else programs.code()
        case "POST /oauth/register" if isinstance(case.body, dict) and programs.registrable():
            name = {"client_name": readable(str(case.body["client_name"]))} if "client_name" in case.body else {}
            case.body = {"redirect_uris": [programs.BACK], **name}
        case "POST /oauth/revoke":
            case.body = {"token": programs.tokens()["refresh_token"]}


def make(case, call):
    """Mends what is valid of a request, by its number."""
    negative = {place for place in Location if case.meta.is_negative_at(place)}
    draw = call // 4
    if not negative and case.path.startswith("/oauth/"):
        connect(case, draw)
        return
    if not negative and case.operation.label in MAILED:
        case.query = {"token": programs.leaving()}
    if Location.HEADER not in negative and case.headers:
        if ORGANIZATION in case.headers:
            case.headers[ORGANIZATION] = workspace.WORKSPACE
        if "If-Match" in case.headers:
            case.headers["If-Match"] = "*"
    if not negative and case.operation.label == MCP:
        case.headers["MCP-Protocol-Version"], case.body = "2025-11-25", message(draw)
        return
    if Location.PATH not in negative and case.path_parameters:
        case.path_parameters = {**case.path_parameters, **path(case, draw)}
    if Location.QUERY not in negative and case.query:
        case.query = query(case, draw)
    if Location.BODY not in negative and isinstance(case.body, dict):
        case.body = body(case, draw)


def afresh(case, call):
    """Gives a valid request a key of its own: made-up ones are often those of earlier requests, and nothing else is seen then."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and key and not case.meta.is_negative_at(Location.HEADER):
        case.headers["Idempotency-Key"] = key[: -len(str(call))] + str(call)


def spare(case):
    """Keeps what later requests need, and every call inside, of any request."""
    about = case.meta.phase.data
    if case.headers and case.headers.get("If-Match") == "" and about.parameter != "If-Match" and getattr(about, "scenario", "") != "missing_parameter":
        case.headers["If-Match"] = "*"  # an empty one says nothing, and the request would be refused for it alone
    kind = kind_of(case)
    one = named(case) if kind else None
    if str(one) in (kind.kept if kind else {}) and case.method.upper() != "GET" and not case.path.endswith("/test"):
        case.path_parameters = {**case.path_parameters, variable(case): kind.known(one, case.method.upper(), 0)}
    if isinstance(case.body, dict) and case.body.get("targetOrgIds") == "all" and isinstance(case.body.get("emails"), list):
        case.body["emails"] = case.body["emails"][:2]  # of whom all workspaces have room for so many
    if isinstance(case.body, dict) and isinstance(case.body.get("destinations"), list):
        for one in case.body["destinations"]:
            called = one.get("webhookDestination") if isinstance(one, dict) else None
            if isinstance(called, dict) and str(called.get("url")).startswith("https:"):
                called["url"] = WEBHOOK["webhookDestination"]["url"]
    if case.method.upper() == "POST" and case.path.removeprefix("/api/v2") in KINDS:
        KINDS[case.path.removeprefix("/api/v2")].make_room()
