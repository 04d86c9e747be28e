import {
  type ConstraintDefinition,
  type EntityKind,
  type IndexDefinition,
  isUniqueness,
  isValueIndex,
  type SchemaChange,
} from "./definitions.ts";

/** A schema as a checkpoint keeps it. */
export interface SavedSchema {
  readonly indexes: readonly IndexDefinition[];
  readonly constraints: readonly ConstraintDefinition[];
}

/** All indexes and constraints at one moment; never changed, only followed by another one. */
export class Schema {
  static readonly empty: Schema = new Schema([], []);

  readonly indexes: readonly IndexDefinition[];
  readonly constraints: readonly ConstraintDefinition[];

  constructor(indexes: readonly IndexDefinition[], constraints: readonly ConstraintDefinition[]) {
    this.indexes = indexes;
    this.constraints = constraints;
  }

  static restore({ indexes, constraints }: SavedSchema): Schema {
    return new Schema(indexes, constraints);
  }

  save(): SavedSchema {
    return { indexes: this.indexes, constraints: this.constraints };
  }

  findIndex(name: string): IndexDefinition | undefined {
    return this.indexes.find((index) => index.name === name);
  }

  findConstraint(name: string): ConstraintDefinition | undefined {
    return this.constraints.find((constraint) => constraint.name === name);
  }

  /** The index over the values of exactly these properties, in any order. */
  indexOn(entity: EntityKind, token: string, properties: readonly string[]): IndexDefinition | undefined {
    return this.indexes.find(
      (index) =>
        isValueIndex(index) &&
        index.entity === entity &&
        index.tokens[0] === token &&
        sameSet(index.properties, properties),
    );
  }

  constraintsOn(entity: EntityKind, token: string, properties: readonly string[]): readonly ConstraintDefinition[] {
    return this.constraints.filter(
      (constraint) =>
        constraint.entity === entity && constraint.token === token && sameSet(constraint.properties, properties),
    );
  }

  uniquenessOn(entity: EntityKind, token: string, properties: readonly string[]): ConstraintDefinition | undefined {
    return this.constraintsOn(entity, token, properties).find(isUniqueness);
  }

  /** The schema after a change; one that has happened already changes nothing, so a log may be replayed twice. */
  after(change: SchemaChange): Schema {
    const without = (name: string): readonly IndexDefinition[] => this.indexes.filter((index) => index.name !== name);
    const others = (name: string): readonly ConstraintDefinition[] =>
      this.constraints.filter((constraint) => constraint.name !== name);
    switch (change.kind) {
      case "add index":
        return new Schema([...without(change.index.name), change.index], this.constraints);
      case "drop index":
        return new Schema(without(change.name), this.constraints);
      case "add constraint":
        return new Schema(this.indexes, [...others(change.constraint.name), change.constraint]);
      case "drop constraint":
        return new Schema(this.indexes, others(change.name));
    }
  }
}

export function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((each) => right.includes(each));
}
