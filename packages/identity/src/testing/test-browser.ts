import { type LightMyRequestResponse } from "fastify";
import { PASSWORD, type TestProvider } from "./test-provider.ts";

/** A page or answer as a browser sees it. */
export interface View {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Where a redirect leads. */
  readonly location: string | undefined;
  /** Hidden and visible fields of the page's form with their values. */
  readonly fields: Readonly<Record<string, string>>;
  readonly action: string | undefined;
}

/** Keeps cookies, fills in forms, follows nothing by itself. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #provider: TestProvider;

  constructor(provider: TestProvider) {
    this.#provider = provider;
  }

  async get(url: string): Promise<View> {
    return this.#seen(
      await this.#provider.app.inject({ method: "GET", url, headers: { cookie: this.#cookieHeader() } }),
    );
  }

  async post(url: string, fields: Readonly<Record<string, string>>): Promise<View> {
    return this.#seen(
      await this.#provider.app.inject({
        method: "POST",
        url,
        payload: new URLSearchParams(fields).toString(),
        headers: { cookie: this.#cookieHeader(), "content-type": "application/x-www-form-urlencoded" },
      }),
    );
  }

  /** Sends a page's form with some fields filled in. */
  submit(view: View, filled: Readonly<Record<string, string>>): Promise<View> {
    return this.post(view.action ?? "", { ...view.fields, ...filled });
  }

  /** Goes to an authorize endpoint, signs in with a password and agrees to whatever is asked. */
  async signIn(url: string, username: string, password = PASSWORD): Promise<View> {
    return this.agree(await this.submit(await this.get(url), { username, password }));
  }

  /** Accepts if the page asks for consent. */
  async agree(view: View): Promise<View> {
    return view.text.includes('name="consent"') ? this.submit(view, { consent: "accept" }) : view;
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #seen(response: LightMyRequestResponse): View {
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) {
        this.cookies.delete(name);
      } else {
        this.cookies.set(name, value);
      }
    }
    const text = response.body;
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      location: response.headers.location,
      fields: Object.fromEntries(
        [...text.matchAll(/<input[^>]*>/g)]
          .filter(([tag]) => !tag.includes('type="checkbox"'))
          .map(([tag]) => [of(tag, "name"), of(tag, "value")]),
      ),
      action: text.includes("<form") ? of(/<form[^>]*>/.exec(text)?.[0] ?? "", "action") : undefined,
    };
  }
}

function of(tag: string, attribute: string): string {
  const value = new RegExp(`\\b${attribute}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return value
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
