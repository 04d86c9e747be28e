/** One operator of a plan with what it reads from; `rows` only after PROFILE. */
export interface PlanDescription {
  readonly operator: string;
  readonly details: string;
  readonly variables: readonly string[];
  readonly estimatedRows: number;
  rows?: number | undefined;
  /** The operator's own time, when the statement was profiled. */
  readonly timeMs?: number | undefined;
  readonly children: readonly PlanDescription[];
}
