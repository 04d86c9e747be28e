"""msal for Python: secret, certificate, code with PKCE, refresh, device code, on behalf of; all v2.0."""

from urllib.parse import parse_qsl, urlsplit

import msal

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


server = confidential(web)
flows.run("code with PKCE", 2, lambda: by_code(server, given["redirectUri"]))
flows.run("refresh", 2, lambda: refresh(server))
desktop = msal.PublicClientApplication(public["clientId"], **options)
flows.run("code with PKCE, public client", 2, lambda: by_code(desktop, "http://localhost:4711/"))
flows.run("refresh, public client", 2, lambda: refresh(desktop))


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
