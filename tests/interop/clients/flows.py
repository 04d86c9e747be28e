"""How a client program in Python and its test talk, and the browser it borrows from the JavaScript ones."""

import json
import os
import subprocess
import sys


def read_input():
    return json.load(sys.stdin)


def sign_in(given, **asked):
    """What a person does in a browser: `url=` opens an address, `user_code=` confirms a device as well."""
    program = os.path.join(os.path.dirname(__file__), "sign-in.mjs")
    names = {"url": "url", "user_code": "userCode"}
    wanted = {names[name]: value for name, value in asked.items()}
    text = json.dumps({**wanted, "user": given["user"]})
    done = subprocess.run(["node", program], input=text, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Flows:
    """One cell of the matrix per flow and version of the endpoints."""

    def __init__(self):
        self.cells = []

    def run(self, flow, version, function):
        """Runs one flow, which gives `{"token": …}` or `{"fact": …}`; its failure is a cell as well."""
        try:
            result = function()
            shown = {name: result[name] for name in ("token", "fact") if name in result}
            self.cells.append({"flow": flow, "version": version, **shown})
            return result
        except Exception as error:  # the test judges what went wrong
            failure = f"{type(error).__name__}: {error}"[:1000]
            self.cells.append({"flow": flow, "version": version, "failure": failure})
            return {}

    def answer(self):
        json.dump(self.cells, sys.stdout)
