import { type StaticType } from "./static-type.ts";

/**
 * One binding of a name: two variables of the same name in different scopes are two objects. Nodes and relationships
 * are bare ids in generated code, everything else a Value; {@link nullable} says whether null (-1 as an id) can occur.
 */
export class Variable {
  readonly name: string;
  readonly type: StaticType;
  readonly nullable: boolean;

  constructor(name: string, type: StaticType, nullable: boolean) {
    this.name = name;
    this.type = type;
    this.nullable = nullable;
  }

  /** Whether the variable is kept as a bare id. */
  get isEntity(): boolean {
    return this.type.kind === "node" || this.type.kind === "relationship";
  }
}
