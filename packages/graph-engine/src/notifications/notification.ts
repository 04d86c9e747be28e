/** Something worth telling that is no error; offsets count from 0, lines and columns from 1. */
export interface Notification {
  readonly code: `ClientNotification.${string}.${string}` | `ClientError.${string}.${string}`;
  readonly severity: "WARNING" | "INFORMATION";
  readonly title: string;
  readonly description: string;
  readonly position: NotificationPosition | undefined;
}

export interface NotificationPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

type NotificationKind = keyof typeof KINDS;

/** Codes and titles of the model server (graph-http §11; measured). */
const KINDS = {
  cartesianProduct: {
    code: "ClientNotification.Statement.CartesianProduct",
    title: "This query builds a cartesian product between disconnected patterns.",
  },
  deprecated: {
    code: "ClientNotification.Statement.DeprecationWarning",
    title: "This feature is deprecated and will be removed in future versions.",
  },
  dynamicProperty: {
    code: "ClientNotification.Statement.DynamicPropertyWarning",
    title: "Queries using dynamic properties will use neither index seeks nor index scans for those properties",
  },
  eager: {
    code: "ClientNotification.Statement.EagerWarning",
    title:
      "The execution plan for this query contains the Eager operator, which forces all dependent data to be materialized in main memory before proceeding",
  },
  joinHintUnfulfillable: {
    code: "ClientNotification.Statement.JoinHintUnfulfillableWarning",
    title: "The database was unable to plan a hinted join.",
  },
  joinHintUnsupported: {
    code: "ClientNotification.Statement.JoinHintUnsupportedWarning",
    title: "Queries with join hints are not supported by the RULE planner.",
  },
  labelMissing: {
    code: "ClientNotification.Statement.LabelMissingWarning",
    title: "The provided label is not in the database.",
  },
  noSuchIndex: {
    code: "ClientError.Schema.NoSuchIndex",
    title: "The request (directly or indirectly) referred to an index that does not exist.",
  },
  plannerUnsupported: {
    code: "ClientNotification.Statement.PlannerUnsupportedWarning",
    title: "This query is not supported by the COST planner.",
  },
  propertyKeyMissing: {
    code: "ClientNotification.Statement.PropertyNameMissingWarning",
    title: "The provided property name is not in the database",
  },
  relationshipTypeMissing: {
    code: "ClientNotification.Statement.RelTypeMissingWarning",
    title: "The provided relationship type is not in the database.",
  },
  unboundedPattern: {
    code: "ClientNotification.Statement.UnboundedPatternWarning",
    title: "The provided pattern is unbounded, consider adding an upper limit to the number of node hops.",
  },
} as const;

export function notification(
  kind: NotificationKind,
  description: string,
  position?: NotificationPosition,
): Notification {
  const { code, title } = KINDS[kind];
  return { code, severity: "WARNING", title, description, position };
}
