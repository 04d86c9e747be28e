import { type LegacyIndexAccess, type TokenTables, type Transaction } from "@trefoil/graph-store";
import { GraphRequestError } from "../errors.ts";
import { includesRole, type Role } from "./roles.ts";

/**
 * A transaction that does only what `role` allows: whatever runs in it, a statement, a REST call or a batch, is judged at
 * the same place.
 */
export function restrictedTransaction(transaction: Transaction, role: Role, tokens: TokenTables): Transaction {
  if (role === "admin") {
    return transaction;
  }
  const legacyIndexes = restrictedMethods(transaction.legacyIndexes, LEGACY_ROLES, role, {});
  const checks: Partial<Record<string, (name: unknown) => void>> = {
    labelId: (name) => checkKnown(tokens.labels, "label", name, role),
    relationshipTypeId: (name) => checkKnown(tokens.relationshipTypes, "relationship type", name, role),
    propertyKeyId: (name) => checkKnown(tokens.propertyKeys, "property key", name, role),
  };
  return restrictedMethods(transaction, TRANSACTION_ROLES, role, checks, { legacyIndexes });
}

type MethodsOf<T> = { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T];

/** Every method has its row: a new one does not compile before it is judged here. */
const TRANSACTION_ROLES: Readonly<Record<MethodsOf<Transaction>, Role>> = {
  openView: "reader",
  releaseView: "reader",
  waitForLock: "reader",
  savepoint: "reader",
  rollbackTo: "reader",
  releaseSavepoint: "reader",
  settleUniqueKeys: "reader",
  uniqueHolders: "reader",
  commit: "reader",
  commitSoFar: "reader",
  rollback: "reader",
  terminate: "reader",
  lockNode: "editor",
  lockRelationship: "editor",
  lockForWriting: "editor",
  lockUnique: "editor",
  lockLegacyEntry: "editor",
  labelId: "editor",
  relationshipTypeId: "editor",
  propertyKeyId: "editor",
  createNode: "editor",
  createRelationship: "editor",
  deleteNode: "editor",
  deleteRelationship: "editor",
  addLabel: "editor",
  removeLabel: "editor",
  setNodeProperty: "editor",
  setRelationshipProperty: "editor",
  lockSchema: "architect",
  createIndex: "architect",
  dropIndex: "architect",
  createConstraint: "architect",
  dropConstraint: "architect",
};

const LEGACY_ROLES: Readonly<Record<MethodsOf<LegacyIndexAccess>, Role>> = {
  list: "reader",
  get: "reader",
  query: "reader",
  auto: "reader",
  add: "editor",
  remove: "editor",
  create: "publisher",
  drop: "publisher",
  setAuto: "architect",
};

function restrictedMethods<T extends object>(
  target: T,
  roles: Readonly<Record<string, Role>>,
  role: Role,
  checks: Partial<Record<string, (name: unknown) => void>>,
  replaced: Partial<Record<string, unknown>> = {},
): T {
  const methods = new Map<string | symbol, unknown>();
  for (const [name, needed] of Object.entries(roles)) {
    const method = (target as Record<string, unknown>)[name];
    if (typeof method === "function") {
      const check = checks[name];
      methods.set(name, (...args: unknown[]): unknown => {
        if (!includesRole(role, needed)) {
          throw forbidden(role, needed);
        }
        check?.(args[0]);
        return Reflect.apply(method, target, args);
      });
    }
  }
  return new Proxy(target, {
    get: (of, property) =>
      methods.get(property) ??
      (typeof property === "string" ? replaced[property] : undefined) ??
      (Reflect.get(of, property, of) as unknown),
  });
}

function checkKnown(table: TokenTables["labels"], what: string, name: unknown, role: Role): void {
  if (!includesRole(role, "publisher") && table.find(String(name)) === -1) {
    throw forbidden(role, "publisher", ` to bring the new ${what} ${String(name)}`);
  }
}

function forbidden(held: Role, needed: Role, why = ""): GraphRequestError {
  return new GraphRequestError(
    "ClientError.Security.AuthorizationFailed",
    `The role ${held} does not allow this: it takes the role ${needed}${why}.`,
  );
}
