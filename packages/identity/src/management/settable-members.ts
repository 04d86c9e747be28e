import { type JsonInput } from "./json-input.ts";

/**
 * What requests may set of an entity: the members that are kept, and those of the Graph that mean nothing here and are
 * passed over. Any other member is refused, as the Graph does, so that a misspelt one isn't lost without a word.
 */
interface SettableMembers {
  readonly kept: readonly string[];
  readonly passedOver: readonly string[];
}

export const userMembers: SettableMembers = {
  kept: ["userPrincipalName", "displayName", "givenName", "surname", "mail", "accountEnabled", "passwordProfile"],
  passedOver: [
    "ageGroup",
    "businessPhones",
    "city",
    "companyName",
    "consentProvidedForMinor",
    "country",
    "department",
    "employeeHireDate",
    "employeeId",
    "employeeLeaveDateTime",
    "employeeOrgData",
    "employeeType",
    "faxNumber",
    "identities",
    "jobTitle",
    "mailNickname",
    "mobilePhone",
    "officeLocation",
    "onPremisesExtensionAttributes",
    "onPremisesImmutableId",
    "otherMails",
    "passwordPolicies",
    "postalCode",
    "preferredDataLocation",
    "preferredLanguage",
    "showInAddressList",
    "state",
    "streetAddress",
    "usageLocation",
    "userType",
  ],
};

export const passwordProfileMembers: SettableMembers = {
  kept: ["password", "forceChangePasswordNextSignIn"],
  passedOver: ["forceChangePasswordNextSignInWithMfa"],
};

export const groupMembers: SettableMembers = {
  kept: ["displayName", "description", "mailNickname", "members"],
  passedOver: [
    "classification",
    "groupTypes",
    "isAssignableToRole",
    "mailEnabled",
    "membershipRule",
    "membershipRuleProcessingState",
    "owners",
    "preferredDataLocation",
    "preferredLanguage",
    "securityEnabled",
    "theme",
    "uniqueName",
    "visibility",
  ],
};

/**
 * Members with an annotation behind an `@` say how a member is meant (`members@odata.bind`), or what the whole is, and
 * count as the member before it.
 *
 * @throws ManagementError naming a member that is none of them
 */
export function refuseOtherMembers(input: JsonInput, { kept, passedOver }: SettableMembers): void {
  input.refuseOthers(new Set([...kept, ...passedOver]));
}
