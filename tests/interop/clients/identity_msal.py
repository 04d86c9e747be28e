"""msal for Python: every flow it knows; all v2.0."""

import os
import tempfile
import threading
import webbrowser
from urllib.parse import parse_qsl, urlsplit

import msal
import requests
from cryptography.hazmat.primitives.serialization import (
    NoEncryption,
    load_pem_private_key,
    pkcs12,
)
from cryptography.x509 import load_pem_x509_certificate
from msal.oauth2cli import JwtSigner

from flows import Flows, read_input, sign_in

given = read_input()
flows = Flows()
web, middle, public = given["web"], given["middle"], given["publicClient"]
options = {"authority": given["authority"], "instance_discovery": False}


def confidential(client, credential=None):
    return msal.ConfidentialClientApplication(
        client["clientId"], client_credential=credential or client["clientSecret"], **options
    )


def token_of(answer):
    if "access_token" not in answer:
        raise RuntimeError(answer.get("error_description", answer))
    return {"token": answer["access_token"], "answer": answer}


own = [given["own"]]
flows.run(
    "client credentials, secret", 2, lambda: token_of(confidential(web).acquire_token_for_client(own))
)
certificate = {
    "private_key": given["certificate"]["privateKeyPem"],
    "thumbprint": given["certificate"]["thumbprint"],
}
flows.run(
    "client credentials, certificate",
    2,
    lambda: token_of(confidential(web, certificate).acquire_token_for_client(own)),
)


def pfx_file():
    """Key and certificate in one file: from it the client makes PS256 and the newer thumbprint."""
    files = given["certificate"]
    key = load_pem_private_key(files["privateKeyPem"].encode(), None)
    own_certificate = load_pem_x509_certificate(files["certificatePem"].encode())
    content = pkcs12.serialize_key_and_certificates(
        b"client", key, own_certificate, None, NoEncryption()
    )
    with tempfile.NamedTemporaryFile(suffix=".pfx", delete=False) as file:
        file.write(content)
    return file.name


def by_pfx():
    name = pfx_file()
    try:
        credential = {"private_key_pfx_path": name}
        return token_of(confidential(web, credential).acquire_token_for_client(own))
    finally:
        os.remove(name)


flows.run("client credentials, certificate, PS256", 2, by_pfx)


def by_assertion():
    signer = JwtSigner(certificate["private_key"], "RS256", sha1_thumbprint=certificate["thumbprint"])
    assertion = signer.sign_assertion(
        audience=f"{given['authority']}/oauth2/v2.0/token", issuer=web["clientId"]
    )
    credential = {"client_assertion": assertion}
    return token_of(confidential(web, credential).acquire_token_for_client(own))


flows.run("client credentials, assertion made before", 2, by_assertion)
# It keeps the line breaks of the certificate, which the interface refuses unless an application says otherwise.
chain = {**certificate, "public_certificate": given["certificate"]["certificatePem"]}


def refused_chain():
    answer = confidential(web, chain).acquire_token_for_client(own)
    return {"fact": {"error": answer["error"], "number": 50064 in answer["error_codes"]}}


flows.run("refusal of line breaks in a chain", 2, refused_chain)


def by_code(application, redirect_uri):
    flow = application.initiate_auth_code_flow([given["scope"]], redirect_uri=redirect_uri)
    seen = sign_in(given, url=flow["auth_uri"])
    answer = dict(parse_qsl(urlsplit(seen["location"]).query))
    return token_of(application.acquire_token_by_auth_code_flow(flow, answer))


def refresh(application):
    (account,) = application.get_accounts()
    return token_of(
        application.acquire_token_silent_with_error([given["scope"]], account, force_refresh=True)
    )


def by_code_of_old(application, redirect_uri):
    """The functions from before flows: an address, then its code."""
    url = application.get_authorization_request_url([given["scope"]], redirect_uri=redirect_uri)
    code = dict(parse_qsl(urlsplit(sign_in(given, url=url)["location"]).query))["code"]
    return token_of(
        application.acquire_token_by_authorization_code(code, [given["scope"]], redirect_uri)
    )


flows.run("code", 2, lambda: by_code_of_old(confidential(web), given["redirectUri"]))
server = confidential(web)
flows.run("code with PKCE", 2, lambda: by_code(server, given["redirectUri"]))
flows.run("refresh", 2, lambda: refresh(server))
desktop = msal.PublicClientApplication(public["clientId"], **options)
flows.run("code with PKCE, public client", 2, lambda: by_code(desktop, "http://localhost:4711/"))
flows.run("refresh, public client", 2, lambda: refresh(desktop))


class BorrowedBrowser(webbrowser.BaseBrowser):
    """Signs in, and sends the page's form to where the client listens on this machine."""

    def open(self, url, new=0, autoraise=True):
        def go():
            seen = sign_in(given, url=url)
            requests.post(dict(parse_qsl(urlsplit(url).query))["redirect_uri"], data=seen["fields"])

        threading.Thread(target=go, daemon=True).start()
        return True


def interactively():
    webbrowser.register("borrowed", None, BorrowedBrowser(), preferred=True)
    application = msal.PublicClientApplication(public["clientId"], **options)
    return token_of(application.acquire_token_interactive([given["scope"]], timeout=60))


flows.run("code with PKCE, interactive", 2, interactively)


class WithoutPort(requests.Session):
    """It asks for the user realm without the authority's port: this stands for a server on port 443."""

    def request(self, method, url, *rest, **more):
        reached = url.replace("https://localhost/", f"{given['origin']}/")
        return super().request(method, reached, *rest, **more)


def by_password():
    application = msal.PublicClientApplication(
        public["clientId"], http_client=WithoutPort(), **options
    )
    user = given["user"]
    return token_of(
        application.acquire_token_by_username_password(
            user["username"], user["password"], [given["scope"]]
        )
    )


by_name = flows.run("password", 2, by_password)


def migrated():
    """A refresh token that another library kept."""
    application = msal.PublicClientApplication(public["clientId"], **options)
    refresh_token = by_name["answer"]["refresh_token"]
    return token_of(application.acquire_token_by_refresh_token(refresh_token, [given["scope"]]))


flows.run("refresh, token of another library", 2, migrated)


def by_managed_identity():
    os.environ.update(given["managedIdentity"])
    client = msal.ManagedIdentityClient(
        msal.SystemAssignedManagedIdentity(), http_client=requests.Session()
    )
    return token_of(client.acquire_token_for_client(resource=given["resource"]))


flows.run("managed identity", 1, by_managed_identity)


def by_device():
    application = msal.PublicClientApplication(public["clientId"], **options)
    flow = application.initiate_device_flow([given["middleScope"]])
    sign_in(given, url=flow["verification_uri"], user_code=flow["user_code"])
    return token_of(application.acquire_token_by_device_flow(flow))


for_middle = flows.run("device code", 2, by_device)
flows.run(
    "on behalf of",
    2,
    lambda: token_of(
        confidential(middle).acquire_token_on_behalf_of(for_middle["token"], [given["backScope"]])
    ),
)


def refusal():
    answer = confidential(web, "wrong").acquire_token_for_client(own)
    return {"fact": {"error": answer["error"], "number": answer["error_codes"][0]}}


flows.run("refusal", 2, refusal)
flows.answer()
