"""The workspace of the workbench's admin key: what is in it that generated requests can name, and what is made for them to use up.
What made-up requests name never exists, so that they would only ever be refused.
"""

import datetime
import functools
import json
import time
import urllib.error

from workbench import DEMO, TURNED, ask, master, send, turn

MADE_AT_MOST = 3  # of a kind, by generated requests: the oldest is deleted before there is one more. A plan has room for few keywords.
WORKSPACE = ask("GET", "/auth")["workspace"]["id"]


def mention(number, **values):
    """A mention of the keyword that the demo calls 13, as /_local/mentions takes it."""
    posted = TURNED["to"] - datetime.timedelta(hours=1, minutes=number % 1000)
    return json.dumps({
        "id": 500_000 + number, "sourceId": f"reddit_post_peer{number}", "url": f"https://posts.example/reddit/peer{number}",
        "title": None, "body": "", "source": "reddit", "timestamp": posted.strftime("%Y-%m-%d %H:%M:%S.000"), "author": f"peer{number % 9}",
        "authorAvatar": None, "authorUrl": None, "authorFollowers": None, "relevance": "not_relevant", "relevanceScore": 2, "sentiment": "Neutral",
        "language": "english", "tags": [], "keywords": [{"id": 13, "keyword": "monitoring"}], "keywordId": 13, "engaged": False, "isReply": False,
        **values,
    })


def bring(mentions):
    send("POST", f"/_local/mentions?workspace={WORKSPACE}", "\n".join(mentions))


# Twelve mentions of a keyword that are noise, by a word that they share, and eight that are not: what suggestions are found in. Ten of
# them judged so are something to attend to.
bring([mention(n, body=f"monitoring an aquarium, day {n}") for n in range(12)]
      + [mention(n, body=f"monitoring of servers, part {n}", relevance="relevant", relevanceScore=0) for n in range(12, 20)])
MENTIONS = ask("POST", "/mentions", {"includeAll": True, "limit": 100})["data"]
for m in [m for m in MENTIONS if "aquarium" in (m["body"] or "")][:10]:
    ask("POST", "/feedback", {"sourceId": m["sourceId"], "timestamp": m["timestamp"], "keywordId": 13, "source": m["source"], "feedbackType": "NOT_RELEVANT"})
MATCHED = [m for m in MENTIONS if m["keywords"]]
WRITTEN = [m for m in MENTIONS if m["author"]]
SUGGESTIONS = [s["id"] for s in ask("GET", "/keywords/suggestions")["data"]]
ATTENTION = [item["id"] for item in ask("GET", "/attention")["data"]]
if len(MATCHED) < 20 or len(SUGGESTIONS) < 2 or not ATTENTION:
    raise SystemExit(f"{len(MATCHED)} mentions, {len(SUGGESTIONS)} suggestions, {len(ATTENTION)} matters for attention: too few to ask for")

EMAIL = {"type": "EMAIL", "emailDestination": {"emails": ["alerts@northwind.example"]}}
# Nothing is called: no name under .example leads anywhere.
WEBHOOK = {"type": "WEBHOOK", "webhookDestination": {"url": "https://hooks.northwind.example/mentions"}}
NUMBERS = iter(range(1, 1_000_000))


def member():
    """A person with an account, invited: a member at once, with no mail."""
    address = f"peer{next(NUMBERS)}@northwind.example"
    send("POST", "/_local/accounts", {"email": address})
    return ask("POST", "/org/members/invite", {"email": address, "role": "org:member"})["member"]["id"]


class Kind:
    """Things with ids, of which generated requests make some. Those that were there are read only: later requests need them."""

    def __init__(self, path, make, reads=None, ask=ask):
        self.path, self.make, self.ask = path, make, ask
        self.kept = {str(one["id"]): one["id"] for one in ask("GET", path)["data"]}
        self.made = {}  # by generated requests, and not deleted
        self.changed = make()  # what changes are made to
        self.kept[str(self.changed)] = self.changed
        self.reads = reads or list(self.kept.values())

    def remember(self, one):
        self.made[str(one)] = one

    def forget(self, one):
        self.made.pop(str(one), None)

    def make_room(self):
        for one in list(self.made.values())[: max(0, len(self.made) - MADE_AT_MOST)]:
            self.forget(one)
            try:
                self.ask("DELETE", f"{self.path}/{one}")
            except urllib.error.HTTPError as refused:
                if refused.code != 404:  # deleted before, by a request whose answer was about another fault
                    raise

    def known(self, one, method, draw):
        """An id in place of one that may be made up; draw, a number, chooses among those that will do."""
        if method == "GET":
            return one if str(one) in self.kept or str(one) in self.made else self.reads[draw % len(self.reads)]
        if str(one) in self.made:
            return one
        if method == "DELETE":
            if not self.made:
                self.remember(self.make())
            return next(iter(self.made.values()))
        return self.changed


KEYWORDS = Kind("/keywords", lambda: ask("POST", "/keywords", {"keyword": f"to be used up {next(NUMBERS)}"})["id"])
FEEDS = Kind("/feeds", lambda: ask("POST", "/feeds", {"name": "To be used up", "destinations": [EMAIL]})["id"])
NOTIFICATIONS = Kind("/notifications", lambda: ask("POST", "/notifications", {"name": "To be used up", "feedId": 1, "destinations": [EMAIL, WEBHOOK]})["id"])
KEYS = Kind("/org/keys", lambda: ask("POST", "/org/keys", {"name": "To be used up", "scope": "read", "expiry": "30d"})["id"])
MEMBERS = Kind("/org/members", member)
# Of the agency that the workspace is of. Its own and the demo's others are among those that are kept.
WORKSPACES = Kind("/agency/workspaces", lambda: master("POST", "/agency/workspaces", {"name": "To be used up"})["id"], ask=master)
KINDS = {kind.path: kind for kind in (KEYWORDS, FEEDS, NOTIFICATIONS, KEYS, MEMBERS, WORKSPACES)}


send("POST", "/_local/flags", {"workspace": WORKSPACE, "flag": "setup_onboarding", "on": True})
DOMAIN = "harbor.example"  # a company whose name is a word, so that its proposals have anchors
PAGE = """<html lang="en"><head><title>Harbor | Berth planning</title><meta property="og:site_name" content="Harbor">
<meta name="description" content="Harbor plans berths, pilots and tugs for terminals."><meta name="keywords" content="berth planning, tug scheduling">
</head><body><h1>Berth planning</h1><a href="https://github.com/harborplans">GitHub</a></body></html>"""
for domain in (DOMAIN, "northwind.example"):
    send("POST", "/_local/sites", {"domain": domain, "html": PAGE})
send("POST", "/_local/posts", "\n".join(json.dumps({
    "source": "hackernews", "sourceId": f"hackernews_story_9100{n:04}", "url": f"https://posts.example/harbor{n}", "author": f"peer{n}",
    "timestamp": (TURNED["to"] - datetime.timedelta(hours=n + 1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "title": f"Harbor does the berth planning of terminal {n}: pilots and tugs" if n % 3 else f"A walk along the harbor on day {n}",
}) for n in range(60)))


class Draft:
    """A draft with a proposal. It is made when it is asked for, also again: it may have given way to those that generated requests make."""

    id = None

    def known(self):
        if not self.id:
            self.id = ask("POST", "/setup/drafts", {"domain": DOMAIN})["draftId"]
            settled(f"/setup/drafts/{self.id}")
            ask("POST", "/setup/proposals", {"draftId": self.id})
            self.proposal = settled(f"/setup/proposals/{self.id}")["proposal"]
        return self.id

    def forget(self, one):
        self.id = None if one == self.id else self.id


def settled(path):
    """What a draft or its proposal is once nothing is under way."""
    for _ in range(100):
        answer = ask("GET", path)
        if answer["status"] not in ("scanning", "proposing", "measuring", "sampling"):
            return answer
        time.sleep(0.1)
    raise SystemExit(f"{path} does not settle: {answer}")


# One that is read only, one for each change: what one does would be in the way of another.
READ, EDITED, PROPOSED, APPLIED = DRAFTS = [Draft() for _ in range(4)]
if any(draft.known() and not draft.proposal for draft in DRAFTS):
    raise SystemExit(f"no proposal was made of {DOMAIN}")


def waiting():
    """The keywords of which something waits for the clean-up."""
    return list(dict.fromkeys(item["keywordId"] for item in ask("GET", "/setup/cleanup")["items"]))


def upgrade_token():
    """Good for a quarter of an hour, and for one wish."""
    return ask("POST", "/org/upgrade-link")["url"].partition("token=")[2]


@functools.cache
def search():
    """A search that has an id."""
    return ask("POST", "/search", {"query": "northwind", "waitMs": 0})["searchId"]


@functools.cache
def delivery():
    """A delivery that has an id: of a mention that a feed tells a receiver of the workbench."""
    url = DEMO["baseUrl"] + "/_local/hooks/peer"
    ask("POST", "/feeds", {"name": "Told", "destinations": [{"type": "WEBHOOK", "webhookDestination": {"url": url}}]})
    posted = TURNED["to"].strftime("%Y-%m-%d %H:%M:%S.000")
    send("POST", "/_local/posts", {"source": "hackernews", "sourceId": "hackernews_comment_76000001", "url": "https://posts.example/peer",
                                   "timestamp": posted, "author": "peer", "body": "Northwind woke me up for the outage. Love it."})
    for _ in range(100):
        listed = ask("GET", "/deliveries")["data"]
        if listed:
            return listed[0]["id"]
        time.sleep(0.1)
    raise SystemExit("nothing was delivered")


@functools.cache
def export():
    """An export that has an id: one with more rows than fit an answer. They are brought only when it is asked for, and so late in a run,
    for every list is slower with them."""
    turn()  # an hour has five exports
    bring([mention(n, body="row", timestamp="2019-01-01 00:00:00.000") for n in range(1000, 2100)])
    return ask("POST", "/mentions/export", {"includeAll": True, "format": "csv"})["exportId"]
