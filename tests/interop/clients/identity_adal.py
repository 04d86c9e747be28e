"""adal for Python: secret, certificate, password, code, refresh, device code; all v1."""

from urllib.parse import parse_qs, urlencode, urlsplit

import adal

from flows import Flows, read_input, sign_in

given = read_input()
flows = Flows()
web, public, user, resource = (given[name] for name in ("web", "publicClient", "user", "resource"))


def context():
    """One of its own each time: nothing comes from a cache."""
    return adal.AuthenticationContext(given["authority"], validate_authority=False, api_version=None)


def token_of(answer):
    return {"token": answer["accessToken"], "refresh": answer.get("refreshToken")}


def secret():
    return token_of(
        context().acquire_token_with_client_credentials(resource, web["clientId"], web["clientSecret"])
    )


def certificate(**more):
    key, thumbprint = given["certificate"]["privateKeyPem"], given["certificate"]["thumbprint"]
    return context().acquire_token_with_client_certificate(
        resource, web["clientId"], key, thumbprint, **more
    )


def refused_chain():
    # It keeps the line breaks of the certificate, which the interface refuses unless an application says otherwise.
    try:
        certificate(public_certificate=given["certificate"]["certificatePem"])
    except adal.AdalError as error:
        answer = error.error_response
        return {"fact": {"error": answer["error"], "number": 50064 in answer["error_codes"]}}
    return {}


def password():
    return token_of(
        context().acquire_token_with_username_password(
            resource, user["username"], user["password"], public["clientId"]
        )
    )


def code():
    asked = {
        "response_type": "code",
        "client_id": web["clientId"],
        "redirect_uri": given["redirectUri"],
        "resource": resource,
    }
    seen = sign_in(given, url=f"{given['authority']}/oauth2/authorize?{urlencode(asked)}")
    (value,) = parse_qs(urlsplit(seen["location"]).query)["code"]
    return token_of(
        context().acquire_token_with_authorization_code(
            value, given["redirectUri"], resource, web["clientId"], web["clientSecret"]
        )
    )


def device():
    shared = context()
    asked = shared.acquire_user_code(resource, public["clientId"])
    sign_in(given, url=asked["verification_url"], user_code=asked["user_code"])
    return token_of(
        shared.acquire_token_with_device_code(resource, {**asked, "interval": 1}, public["clientId"])
    )


def refusal():
    try:
        context().acquire_token_with_client_credentials(resource, web["clientId"], "wrong")
    except adal.AdalError as error:
        answer = error.error_response
        return {"fact": {"error": answer["error"], "number": answer["error_codes"][0]}}
    return {}


flows.run("client credentials, secret", 1, secret)
flows.run("client credentials, certificate", 1, lambda: token_of(certificate()))
flows.run("refusal of line breaks in a chain", 1, refused_chain)
first = flows.run("password", 1, password)
flows.run(
    "refresh, public client",
    1,
    lambda: token_of(
        context().acquire_token_with_refresh_token(first["refresh"], public["clientId"], resource)
    ),
)
by_code = flows.run("code", 1, code)
flows.run(
    "refresh",
    1,
    lambda: token_of(
        context().acquire_token_with_refresh_token(
            by_code["refresh"], web["clientId"], resource, web["clientSecret"]
        )
    ),
)
flows.run("device code", 1, device)
flows.run("refusal", 1, refusal)
flows.answer()
