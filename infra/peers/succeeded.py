"""Holds what generated requests were answered with to a rule: each operation succeeds at least once, but for those of CANNOT. One of
these that does succeed is a fault too, so that the list stays as short as it can be.

python succeeded.py FILE: FILE is what hooks.py wrote. It prints a line for the reader, or the faults, and then ends with status 1.
"""

import sys

# The operations that cannot succeed here, with the reason.
CANNOT = {
    "GET /api/v2/integrations/slack/channels": "it asks Slack, to which nothing is connected here",
}


def read(lines):
    """Counts of successes by operation, and of refusals that were right."""
    succeeded, allowed = {}, 0
    for line in lines:
        match line.split():
            case ["allowed", count, *_]:
                allowed += int(count)
            case ["succeeded", count, method, path]:
                succeeded[f"{method} {path}"] = int(count)
    return succeeded, allowed


def faults(succeeded, cannot):
    """What breaks the rule."""
    never = [label for label, count in succeeded.items() if not count and label not in cannot]
    did = [label for label in cannot if succeeded.get(label)]
    gone = [label for label in cannot if label not in succeeded]
    return (
        [f"{label} never succeeded. Make a request of possible.py that does." for label in never]
        + [f"{label} succeeded: it no longer needs to be in CANNOT of succeeded.py." for label in did]
        + [f"{label} is no operation: take it out of CANNOT of succeeded.py." for label in gone]
    )


def main(path):
    with open(path, encoding="utf-8") as file:
        succeeded, allowed = read(file)
    if found := faults(succeeded, CANNOT):
        raise SystemExit("\n".join(found))
    print(f"{sum(map(bool, succeeded.values()))} operations succeeded, {sum(succeeded.values())} times; refused rightly: {allowed}")


if __name__ == "__main__":
    main(sys.argv[1])
