/** From the page to the layout. Nodes are known by their place in the list. */
export type LayoutRequest =
  | {
      readonly kind: "set";
      /** x and y of each node, where it is now. */
      readonly positions: Float32Array;
      readonly radii: Float32Array;
      /** 1: stays where it is. */
      readonly pinned: Uint8Array;
      /** Source and target of each relationship. */
      readonly links: Uint32Array;
      /** Width of the view by its height: the picture takes the same shape. */
      readonly aspect: number;
      /** How much to move, from 0 to 1. */
      readonly energy: number;
      /** Show nothing before everything has come to rest. */
      readonly isStill: boolean;
    }
  | { readonly kind: "drag"; readonly node: number; readonly x: number; readonly y: number }
  | { readonly kind: "drop"; readonly node: number; readonly isPinned: boolean };

/** From the layout to the page. */
export interface LayoutAnswer {
  /** Counts the requests of kind `set`: answers to earlier ones are of no use. */
  readonly generation: number;
  readonly positions: Float32Array;
  readonly isAtRest: boolean;
}
