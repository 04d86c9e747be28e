import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from "d3-force";
import { type LayoutAnswer, type LayoutRequest } from "./layout-messages.ts";

/** The forces run beside the page, so that it stays free to draw and to listen. */

interface Body extends SimulationNodeDatum {
  x: number;
  y: number;
  readonly radius: number;
}

const FRAME_MS = 15;
const LARGE = 800;
const REST = 0.012;

let simulation: Simulation<Body, SimulationLinkDatum<Body>> | undefined;
let bodies: Body[] = [];
let generation = 0;
let isRunning = false;

addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  switch (data.kind) {
    case "set":
      set(data);
      return;
    case "drag": {
      const body = bodies[data.node];
      if (body !== undefined) {
        body.fx = data.x;
        body.fy = data.y;
        warm(0.25);
      }
      return;
    }
    case "drop": {
      const body = bodies[data.node];
      if (body !== undefined && !data.isPinned) {
        body.fx = null;
        body.fy = null;
      }
    }
  }
});

function set({
  positions,
  radii,
  pinned,
  links,
  aspect,
  energy,
  isStill,
}: LayoutRequest & { readonly kind: "set" }): void {
  generation += 1;
  bodies = Array.from(radii, (radius, index) => {
    const [x, y] = [positions[2 * index] ?? 0, positions[2 * index + 1] ?? 0];
    return pinned[index] === 1 ? { x, y, radius, fx: x, fy: y } : { x, y, radius };
  });
  const isLarge = bodies.length > LARGE;
  // A handful of nodes spreads by itself; dozens are kept together, so that they can be read.
  const pull = isLarge ? 0.04 : 0.02 + 0.07 * Math.min(1, bodies.length / 100);
  // Few relationships have room for their captions; of many nobody could read them.
  const roomForCaptions = isLarge ? 50 : 52 + Math.min(80, 2400 / (bodies.length + 12));
  const stretch = Math.min(2.2, Math.max(0.6, aspect));
  simulation = forceSimulation(bodies)
    .stop()
    .alpha(energy)
    .alphaDecay(isLarge ? 0.04 : 0.03)
    .velocityDecay(0.35)
    .force(
      "links",
      forceLink<Body, SimulationLinkDatum<Body>>(
        Array.from({ length: links.length / 2 }, (_, index) => ({
          source: links[2 * index] ?? 0,
          target: links[2 * index + 1] ?? 0,
        })),
      ).distance(({ source, target }) => radiusOf(source) + radiusOf(target) + roomForCaptions),
    )
    .force(
      "charge",
      forceManyBody<Body>()
        .strength(isLarge ? -220 : -480 - Math.min(380, 6000 / bodies.length))
        .theta(isLarge ? 1.3 : 0.9)
        .distanceMax(isLarge ? 2500 : 1000),
    )
    .force("x", forceX(0).strength(pull / stretch))
    .force("y", forceY(0).strength(pull * stretch));
  if (!isLarge) {
    simulation.force("collide", forceCollide<Body>(({ radius }) => radius + 9).strength(0.8));
  }
  if (isStill) {
    while (simulation.alpha() > REST) {
      simulation.tick();
    }
    post();
  } else {
    if (!isLarge && energy > 0.9) {
      // The wild beginning is no pleasure to watch.
      simulation.tick(40);
    }
    run();
  }
}

function radiusOf(end: SimulationLinkDatum<Body>["source"]): number {
  return typeof end === "object" ? end.radius : 0;
}

function warm(energy: number): void {
  simulation?.alpha(Math.max(simulation.alpha(), energy));
  run();
}

function run(): void {
  if (!isRunning) {
    isRunning = true;
    step();
  }
}

function step(): void {
  if (simulation === undefined) {
    return;
  }
  const until = performance.now() + (bodies.length > LARGE ? 2 * FRAME_MS : 0);
  do {
    simulation.tick();
  } while (performance.now() < until && simulation.alpha() > REST);
  isRunning = simulation.alpha() > REST;
  post();
  if (isRunning) {
    setTimeout(step, bodies.length > LARGE ? 0 : FRAME_MS);
  }
}

function post(): void {
  const positions = new Float32Array(2 * bodies.length);
  for (const [index, { x, y }] of bodies.entries()) {
    positions[2 * index] = x;
    positions[2 * index + 1] = y;
  }
  const answer: LayoutAnswer = {
    generation,
    positions,
    isAtRest: (simulation?.alpha() ?? 0) <= REST,
  };
  postMessage(answer, { transfer: [positions.buffer] });
}
