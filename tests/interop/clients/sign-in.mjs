// The browser for client programs that aren't written in JavaScript: an address in, what the client would get out.
import { confirmDevice, signInWithBrowser } from "./browser.mjs";
import { answer, readInput } from "./exchange.mjs";

const { url, userCode, user } = await readInput();
const { location, fields } = await (userCode === undefined
  ? signInWithBrowser(url, user)
  : confirmDevice(url, userCode, user));
answer({ location, fields });
