/** Where the parameters and the statement come from, beside the argument. */
export interface QueryOptions {
  readonly param: readonly string[];
  readonly paramsFile?: string | undefined;
  readonly file?: string | undefined;
}
