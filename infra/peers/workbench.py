"""The workbench that generated requests go to: requests of our own, its clock, and the document that it serves.

EARSHOT_DEMO names its demo.json.
"""

import datetime
import json
import os
import urllib.request

with open(os.environ["EARSHOT_DEMO"], encoding="utf-8") as demo:
    DEMO = json.load(demo)

# Requests since the clock was turned, and what it was turned to. Only successes tell how many remain, and hundreds of faulty requests may
# come between two of them.
TURNED = {"calls": 0, "registered": 0, "to": datetime.datetime.now(datetime.timezone.utc)}


def send(method, path, body=None, headers=None):
    """Asks the workbench; body is JSON, or text as it is."""
    data = body.encode() if isinstance(body, str) else json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(DEMO["baseUrl"] + path, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.loads(response.read())


def ask(method, path, body=None, key="admin"):
    """A request with one of the demo's keys, of those that an hour has."""
    TURNED["calls"] += 1
    return send(method, "/api/v2" + path, body, {"Authorization": f"Bearer {DEMO['keys'][key]}"})


def master(method, path, body=None):
    """The same with the key of the agency."""
    return ask(method, path, body, "agencyMaster")


def turn():
    """Turns the workbench's clock to the next hour."""
    now = (TURNED["to"] + datetime.timedelta(hours=1)).replace(minute=0, second=1)
    TURNED.update(calls=0, registered=0, to=now)
    send("POST", "/_local/clock", {"now": now.strftime("%Y-%m-%dT%H:%M:%SZ")})


DOCUMENT = send("GET", "/api/v2/openapi.json")
