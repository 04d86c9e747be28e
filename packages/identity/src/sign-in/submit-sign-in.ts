import { randomUUID } from "node:crypto";
import { type Factor } from "../factors/factor-store.ts";
import { codeCounter } from "../factors/code-counter.ts";
import { newSecret, stepOfCode } from "../factors/one-time-code.ts";
import { IdentityError } from "../protocol/identity-error.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { type IdentityServices } from "../services.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { checkPassword } from "../users/authenticate-user.ts";
import { type User } from "../users/user.ts";

/** What is still missing after the password, in this order. */
type Need = "code" | "set up" | "new password";

/** Who proved a password, and what else it takes before he is signed in. */
export interface PasswordOwner {
  readonly tenantId: string;
  readonly userId: string;
  readonly needs: Need;
  readonly provedAtMs: number;
  readonly methods: readonly string[];
  /** Whether the browser is to stay signed in. */
  readonly stays: boolean;
  /** base64: the secret of an authenticator application that is being set up. */
  readonly newSecret?: string | undefined;
}

/** What a submitted form comes to. */
export type SignInOutcome =
  | {
      readonly kind: "signed in";
      readonly user: User;
      readonly methods: readonly string[];
      readonly stays: boolean;
    }
  /** Asked again, with what was wrong. */
  | { readonly kind: "wrong"; readonly message: string }
  /** The password was right and more is needed. */
  | {
      readonly kind: Need;
      readonly passwordOf: PasswordOwner;
      readonly user: User;
      readonly message: string | undefined;
    };

const PASSWORD_ALONE = ["pwd"];
const WITH_CODE = ["pwd", "otp", "mfa"];
const AGAIN: SignInOutcome = { kind: "wrong", message: "Sign in again." };

/** Judges a form of the sign-in page, or of the page that its state says. */
export async function submitSignIn(
  services: IdentityServices,
  choice: TenantChoice,
  { passwordOf, ipAddress }: { readonly passwordOf: PasswordOwner | undefined; readonly ipAddress: string },
  form: FormBody,
): Promise<SignInOutcome> {
  if (passwordOf === undefined) {
    return submitPassword(services, choice, form, ipAddress);
  }
  const user = await services.users.findById(passwordOf.tenantId, passwordOf.userId);
  // The form proves a password that was good then.
  if (user === undefined || !user.isEnabled || user.sessionsValidFromMs > passwordOf.provedAtMs) {
    return AGAIN;
  }
  const proved: Proved = { services, user, passwordOf };
  switch (passwordOf.needs) {
    case "code":
      return submitCode(proved, form);
    case "set up":
      return submitSetUp(proved, form);
    case "new password":
      return user.mustChangePassword ? submitNewPassword(proved, form) : AGAIN;
  }
}

interface Proved {
  readonly services: IdentityServices;
  readonly user: User;
  readonly passwordOf: PasswordOwner;
}

async function submitPassword(
  services: IdentityServices,
  choice: TenantChoice,
  form: FormBody,
  ipAddress: string,
): Promise<SignInOutcome> {
  const entered = form.find("username")?.trim();
  const password = form.find("password");
  if (entered === undefined || password === undefined) {
    return { kind: "wrong", message: "Enter your user name and your password." };
  }
  const tenant = await findTenant(services, choice, entered);
  const userName = entered.includes("@") ? entered : `${entered}@${tenant.defaultDomain}`;
  try {
    const user = await checkPassword(tenant, userName, password, ipAddress, services);
    const factors = await services.factors.list(user);
    const passwordOf: PasswordOwner = {
      tenantId: user.tenantId,
      userId: user.id,
      needs: "new password",
      provedAtMs: services.clock.now(),
      methods: PASSWORD_ALONE,
      stays: form.find("stay") === "yes",
    };
    return goOn({ services, user, passwordOf }, await needOf(services, user, factors));
  } catch (error) {
    if (error instanceof IdentityError) {
      return { kind: "wrong", message: error.message };
    }
    throw error;
  }
}

async function needOf(services: IdentityServices, user: User, factors: readonly Factor[]): Promise<Need | undefined> {
  if (factors.length > 0) {
    return "code";
  }
  const tenant = await services.tenants.find(user.tenantId);
  return tenant?.requiresSecondFactor === true ? "set up" : afterFactors(user);
}

function afterFactors(user: User): Need | undefined {
  return user.mustChangePassword ? "new password" : undefined;
}

/** To the page for what is missing, or signed in when nothing is. */
function goOn({ user, passwordOf }: Proved, needs: Need | undefined, message?: string): SignInOutcome {
  if (needs === undefined) {
    return { kind: "signed in", user, methods: passwordOf.methods, stays: passwordOf.stays };
  }
  const secret = needs === "set up" ? (passwordOf.newSecret ?? Buffer.from(newSecret()).toString("base64")) : undefined;
  return { kind: needs, passwordOf: { ...passwordOf, needs, newSecret: secret }, user, message };
}

/** Wrong codes are counted and locked like wrong passwords: six digits are soon tried. */
async function submitCode(proved: Proved, form: FormBody): Promise<SignInOutcome> {
  const { services, user, passwordOf } = proved;
  const { lockout, factors } = services;
  const tenant = await services.tenants.find(user.tenantId);
  const code = form.find("code") ?? "";
  const counter = codeCounter(user);
  if (tenant === undefined || (await lockout.isLocked(tenant, counter))) {
    return { kind: "wrong", message: new IdentityError(50053).message };
  }
  if (!(await factors.use(user, code))) {
    // Each try counts: unlike an old password in some device, a code is never tried again by itself.
    await lockout.recordFailure(tenant, counter, randomUUID());
    return goOn(proved, "code", "The code is wrong or was used.");
  }
  await lockout.reset(tenant, counter);
  return goOn({ ...proved, passwordOf: { ...passwordOf, methods: WITH_CODE } }, afterFactors(user));
}

async function submitSetUp(proved: Proved, form: FormBody): Promise<SignInOutcome> {
  const { services, user, passwordOf } = proved;
  const secret = Buffer.from(passwordOf.newSecret ?? "", "base64");
  const step = stepOfCode(secret, form.find("code") ?? "", services.clock.now());
  if (step === undefined || secret.length === 0) {
    return goOn(proved, "set up", "The code is wrong. Wait for the next one.");
  }
  if (await services.factors.has(user)) {
    return AGAIN;
  }
  await services.factors.add(user, secret, step);
  return goOn({ ...proved, passwordOf: { ...passwordOf, methods: WITH_CODE } }, afterFactors(user));
}

/** The tenant of the address, else that of the name; any for a name of nowhere, which then simply isn't found. */
async function findTenant(services: IdentityServices, choice: TenantChoice, userName: string): Promise<Tenant> {
  if (choice.kind === "tenant") {
    return choice.tenant;
  }
  const [first] = await services.tenants.list();
  const named = await services.tenants.find(userName.slice(userName.lastIndexOf("@") + 1));
  const tenant = named ?? first;
  if (tenant === undefined) {
    throw new IdentityError(50059);
  }
  return tenant;
}

async function submitNewPassword(proved: Proved, form: FormBody): Promise<SignInOutcome> {
  const { services, user, passwordOf } = proved;
  const again = (message: string): SignInOutcome => goOn(proved, "new password", message);
  const password = form.find("new_password") ?? "";
  if (password !== (form.find("repeated_password") ?? "")) {
    return again("The two entries differ.");
  }
  if (await services.passwords.verify(user.passwordHash, password)) {
    return again("The new password must be another one than before.");
  }
  try {
    await services.users.update(user, { password, mustChangePassword: false });
    await services.backChannel.endAllOf(user);
  } catch (error) {
    if (error instanceof ManagementError) {
      return again(`${error.message}.`);
    }
    throw error;
  }
  const changed = await services.users.findById(passwordOf.tenantId, passwordOf.userId);
  return changed === undefined ? AGAIN : goOn({ ...proved, user: changed }, undefined);
}
