import { IdentityError } from "../protocol/identity-error.ts";
import { ManagementError } from "../protocol/management-error.ts";
import { type FormBody } from "../protocol/form-body.ts";
import { type IdentityServices } from "../services.ts";
import { type TenantChoice } from "../tenants/resolve-tenant.ts";
import { type Tenant } from "../tenants/tenant.ts";
import { checkPassword } from "../users/authenticate-user.ts";
import { type User } from "../users/user.ts";

/** Who proved a password that must be changed. */
export interface PasswordOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** What a submitted form comes to. */
export type SignInOutcome =
  | { readonly kind: "signed in"; readonly user: User; readonly methods: readonly string[] }
  /** Asked again, with what was wrong. */
  | { readonly kind: "wrong"; readonly message: string }
  /** The password was right and must be changed now. */
  | {
      readonly kind: "new password";
      readonly passwordOf: PasswordOwner;
      readonly message: string | undefined;
    };

const METHODS = ["pwd"];

/** Judges a form of the sign-in page, or of the page for a new password when its state says so. */
export function submitSignIn(
  services: IdentityServices,
  choice: TenantChoice,
  state: { readonly passwordOf?: PasswordOwner | undefined },
  form: FormBody,
): Promise<SignInOutcome> {
  return state.passwordOf === undefined
    ? submitPassword(services, choice, form)
    : submitNewPassword(services, state.passwordOf, form);
}

async function submitPassword(
  services: IdentityServices,
  choice: TenantChoice,
  form: FormBody,
): Promise<SignInOutcome> {
  const entered = form.find("username")?.trim();
  const password = form.find("password");
  if (entered === undefined || password === undefined) {
    return { kind: "wrong", message: "Enter your user name and your password." };
  }
  const tenant = await findTenant(services, choice, entered);
  const userName = entered.includes("@") ? entered : `${entered}@${tenant.defaultDomain}`;
  try {
    const user = await checkPassword(tenant, userName, password, services);
    return user.mustChangePassword
      ? { kind: "new password", passwordOf: { tenantId: user.tenantId, userId: user.id }, message: undefined }
      : { kind: "signed in", user, methods: METHODS };
  } catch (error) {
    if (error instanceof IdentityError) {
      return { kind: "wrong", message: error.message };
    }
    throw error;
  }
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

async function submitNewPassword(
  services: IdentityServices,
  passwordOf: PasswordOwner,
  form: FormBody,
): Promise<SignInOutcome> {
  const again = (message: string): SignInOutcome => ({ kind: "new password", passwordOf, message });
  const password = form.find("new_password") ?? "";
  if (password !== (form.find("repeated_password") ?? "")) {
    return again("The two entries differ.");
  }
  const user = await services.users.findById(passwordOf.tenantId, passwordOf.userId);
  // The form proves a password that was good for being changed once.
  if (user === undefined || !user.isEnabled || !user.mustChangePassword) {
    return { kind: "wrong", message: "Sign in again." };
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
  return changed === undefined
    ? { kind: "wrong", message: "Sign in again." }
    : { kind: "signed in", user: changed, methods: METHODS };
}
