import { type NodeValue, type RelationshipValue } from "../values/value.ts";

/** What can be saved of the picture that is shown. */
export interface PictureExport {
  png(): Promise<Blob>;
  svg(): string;
  /** What is in the picture now, expanded nodes included, hidden ones not. */
  entities(): { readonly nodes: readonly NodeValue[]; readonly relationships: readonly RelationshipValue[] };
}
