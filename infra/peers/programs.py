"""Programs that a member connects by OAuth, and readers of mail: what requests to /oauth/ and to unsubscribe can name. Nothing of it can
be made up, because the workbench signs it or draws it."""

import base64
import functools
import hashlib
import http.cookies
import itertools
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request

import workspace
from workbench import DEMO, TURNED, ask, send

BASE = DEMO["baseUrl"]
BACK = "http://127.0.0.1/back"
MEMBER = "support@northwind.example"
VERIFIER = "a-verifier-of-a-program-that-generated-requests-connect"
REGISTERED_AT_MOST = 12  # in an hour of the workbench's clock; an address has 20 registrations
POSTS = itertools.count(1)


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """Follows nothing: where a page leads to is what is wanted of it."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(Unfollowed)


def visit(link, cookie=None, form=None):
    """What a browser without a person sees: where it is sent, its cookies as "name=value", and the page."""
    data = urllib.parse.urlencode(form).encode() if form else None
    request = urllib.request.Request(urllib.parse.urljoin(BASE, link), data, {"Cookie": cookie} if cookie else {})
    try:
        response = OPENER.open(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        page = response.read().decode()
        if response.status >= 400:
            raise SystemExit(f"{link}: {response.status} {page}")
        jar = http.cookies.SimpleCookie(response.headers.get("Set-Cookie"))
        return response.headers.get("Location"), {name: morsel.value for name, morsel in jar.items()}, page


def queried(link):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))


@functools.cache
def program():
    """A client id. Approved, it is good for 90 days."""
    return send("POST", "/oauth/register", {"client_name": "Peer", "redirect_uris": [BACK]})["client_id"]


def asking():
    """The query of an authorization request that is right."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    return {"client_id": program(), "redirect_uri": BACK, "response_type": "code", "code_challenge": challenge,
            "code_challenge_method": "S256", "resource": BASE + "/api/v2", "scope": "read write"}


def signed_in():
    """The query with which a person comes back from signing in, and the cookies."""
    to, cookies, _ = visit("/oauth/authorize?" + urllib.parse.urlencode(asking()))
    back, _, _ = visit("/_local/signin", form={"email": MEMBER, "state": queried(to)["state"]})
    return queried(back), cookies


def shown():
    """The query of a consent page, and the cookies."""
    query, cookies = signed_in()
    to, _, _ = visit("/oauth/callback?" + urllib.parse.urlencode(query), header(cookies))
    return queried(to), cookies


def header(cookies):
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


def deciding(decision):
    """The form of a consent page, as it is sent back, and the cookies."""
    query, cookies = shown()
    _, _, page = visit("/oauth/authorize?" + urllib.parse.urlencode(query), header(cookies))
    hidden = dict(re.findall(r'name="(request|csrf)" value="([^"]*)"', page))
    return {**hidden, "decision": decision, "workspace": workspace.WORKSPACE, "scope": "write"}, cookies


def code():
    """A form that gets tokens, once."""
    link = BASE + "/oauth/authorize?" + urllib.parse.urlencode(asking())
    sent = send("POST", "/_local/consent", {"authorizeUrl": link, "email": MEMBER, "workspace": workspace.WORKSPACE, "scopes": ["write"]})
    return {"grant_type": "authorization_code", "client_id": program(), "code": queried(sent["redirectTo"])["code"], "code_verifier": VERIFIER,
            "redirect_uri": BACK}


def tokens():
    _, _, page = visit("/oauth/token", form=code())
    return json.loads(page)


def refreshing():
    """A form that gets the next tokens, once."""
    return {"grant_type": "refresh_token", "client_id": program(), "refresh_token": tokens()["refresh_token"]}


def grant():
    """The id of a grant that can be ended."""
    tokens()
    return ask("GET", "/org/grants")["data"][0]["id"]


def registrable():
    """Whether the hour has room for one more registration."""
    TURNED["registered"] += 1
    return TURNED["registered"] <= REGISTERED_AT_MOST


def post():
    """A post that every feed of the workspace shows."""
    send("POST", "/_local/posts", {
        "source": "hackernews", "sourceId": f"hackernews_comment_77{next(POSTS):06}", "url": "https://posts.example/peer", "author": "peer",
        "timestamp": TURNED["to"].strftime("%Y-%m-%d %H:%M:%S.000"), "body": "Northwind woke me up for the outage. Love it."})


def awaited(what, found):
    for _ in range(200):
        if one := found():
            return one
        time.sleep(0.05)
    raise SystemExit(f"{what} does not come")


@functools.cache
def leaving():
    """The token in a mail to a reader, which unsubscribes as often as it is sent. Another reader stays."""
    readers = ["leaving@readers.example", "staying@readers.example"]
    ask("POST", "/feeds", {"name": "Mailed", "destinations": [{"type": "EMAIL", "emailDestination": {"emails": readers}}]})
    post()

    def link():
        for mail in send("GET", "/_local/outbox")["mails"]:
            if mail["to"] == readers[0] and "List-Unsubscribe" in mail["headers"]:
                return mail["headers"]["List-Unsubscribe"].strip("<>")
        return None

    return queried(awaited("a mail to unsubscribe by", link))["token"]


RECEIVER = "/_local/hooks/peer-gone"


@functools.cache
def fragile():
    """A feed with a webhook that breaks."""
    return ask("POST", "/feeds", {"name": "Fragile", "destinations": [{"type": "WEBHOOK", "webhookDestination": {"url": BASE + RECEIVER}}]})["id"]


def broken():
    """The attention item of a broken destination. It is broken when there is none: applying the item mends it."""
    def item():
        return next((one["id"] for one in ask("GET", "/attention")["data"] if one["kind"] == "delivery_broken"), None)

    fragile()
    if not (one := item()):
        send("POST", RECEIVER + "/responses", {"status": 410})
        post()
        one = awaited("a broken destination", item)
    return one
