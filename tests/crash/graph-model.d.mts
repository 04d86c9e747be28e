export interface Item {
  readonly value: number;
  readonly text: string | null;
  readonly odd: boolean;
}

/** What the graph must hold of one worker: items and links by their numbers. */
export interface Model {
  readonly items: Map<number, Item>;
  readonly links: Map<number, { readonly from: number; readonly to: number }>;
}

export interface Step {
  readonly text: string;
  readonly parameters: Readonly<Record<string, number | string>>;
}

export function emptyModel(): Model;
export function takeStep(model: Model, worker: number, number: number): Step;
