"""moto with an interpreter for state machines: python stepfunctions.py PORT.

Tasks call Lambda functions by http://localhost:$MOTO_PORT, which is this server: calls of a function that is named
at-<port>-<name> it hands on to http://127.0.0.1:<port>/<name>, where a Go test answers them as Lambda's Invoke does
(shared/aws/sfnflow/sfntest). All else is moto's.
"""

import copy
import http.client
import os
import re
import sys
import threading
from types import SimpleNamespace

from moto.core.config import default_user_config
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.stepfunctions.parser import models
from moto.stepfunctions.parser.asl.component.eval_component import EvalComponent
from werkzeug.serving import run_simple

INVOCATION = re.compile(r"/functions/[^/]*function:at-(\d+)-(\w+)/invocations$")

default_user_config["stepfunctions"]["execute_state_machine"] = True

# An execution takes a deep copy of its machine, which cannot be taken of one that has other executions: these hold locks.
models.copy = SimpleNamespace(deepcopy=copy.copy)

# A retrier counts its attempts under its component's key, which moto makes at the first look. Where the branches of a
# Map look at one moment, each makes one, and those whose key is replaced count from zero again: a retry too many. A
# component is in memory as long as its execution, so what names it there serves as a key that is always the same.
EvalComponent.heap_key = property(lambda component: str(id(component)))

# Two requests at once find both that a name is free, and begin an execution each; AWS begins one.
starting = threading.Lock()


def invoke(port, name, environ, start_response):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    connection = http.client.HTTPConnection("127.0.0.1", int(port))
    try:
        connection.request("POST", "/" + name, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        start_response(f"{answer.status} {answer.reason}", list(answer.getheaders()))
        return [answer.read()]
    except (OSError, http.client.HTTPException) as cause:  # its test has ended
        start_response("502 Bad Gateway", [("Content-Type", "application/json")])
        return [f'{{"message": "{type(cause).__name__}"}}'.encode()]
    finally:
        connection.close()


def main(port):
    os.environ["MOTO_PORT"] = str(port)
    moto = DomainDispatcherApplication(create_backend_app)

    def app(environ, start_response):
        if called := INVOCATION.search(environ["PATH_INFO"]):
            return invoke(*called.groups(), environ, start_response)
        if environ.get("HTTP_X_AMZ_TARGET") == "AWSStepFunctions.StartExecution":
            with starting:
                return moto(environ, start_response)
        return moto(environ, start_response)

    run_simple("127.0.0.1", port, app, threaded=True)


main(int(sys.argv[1]))
