/**
 * What a person does in a browser: opens an address of the provider, signs in, accepts. Follows nothing to the client.
 *
 * @param {string} url
 * @param {{ username: string, password: string }} user
 * @returns {Promise<{ location?: string, action?: string, fields: Record<string, string> }>} where the answer goes
 */
export async function signInWithBrowser(url, user) {
  const browser = new Browser(new URL(url).origin);
  let page = await browser.open(url);
  if (page.text.includes('name="username"')) {
    page = await browser.submit(page, user);
  }
  return browser.agree(page);
}

/** Types a device's code, signs in, confirms. */
export async function confirmDevice(url, userCode, user) {
  const browser = new Browser(new URL(url).origin);
  const signIn = await browser.submit(await browser.open(url), { user_code: userCode });
  return browser.agree(await browser.submit(signIn, user));
}

class Browser {
  #cookies = new Map();
  #origin;

  constructor(origin) {
    this.#origin = origin;
  }

  async open(url) {
    return this.#seen(await fetch(url, { redirect: "manual", headers: { cookie: this.#cookieHeader() } }));
  }

  async submit(page, filled) {
    const response = await fetch(this.#origin + page.action, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: this.#cookieHeader(), origin: this.#origin },
      body: new URLSearchParams({ ...page.fields, ...filled }),
    });
    return this.#seen(response);
  }

  async agree(page) {
    return page.text.includes('name="consent"') ? this.submit(page, { consent: "accept" }) : page;
  }

  #cookieHeader() {
    return [...this.#cookies].map((cookie) => cookie.join("=")).join("; ");
  }

  async #seen(response) {
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(";", 1)[0].split("=");
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    const attribute = (tag, name) => unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
    const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([tag]) => tag).filter((tag) => !tag.includes("checkbox"));
    return {
      status: response.status,
      text,
      location: response.headers.get("location") ?? undefined,
      action: text.includes("<form") ? attribute(/<form[^>]*>/.exec(text)[0], "action") : undefined,
      fields: Object.fromEntries(inputs.map((tag) => [attribute(tag, "name"), attribute(tag, "value")])),
    };
  }
}

function unescape(text) {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
