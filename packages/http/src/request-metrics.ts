import { Counter, Gauge, type Metric, type Registry } from "prom-client";

/** Counts and times requests by method, route and status. */
export interface RequestMetrics {
  /** A request came in. */
  begin(): void;
  /** It was answered, or given up. @param route  a template: a path would be a series per node, blob or user */
  end(method: string, route: string, status: number, durationMs: number): void;
}

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60] as const;

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "MERGE"];

/** The requests of one method, route and status. */
interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  count: number;
  seconds: number;
  /** By the first bound they are within, those beyond the last one behind it. */
  readonly buckets: number[];
}

/**
 * The tallies are kept here and handed to the registry when somebody reads it: its own metrics look labels up by a text
 * that they compose at every request, which costs as much as authentication does.
 */
export function createRequestMetrics(metrics: Registry): RequestMetrics {
  const routes = new Map<string, Map<number, Series>>();
  const all: Series[] = [];
  let open = 0;
  const seriesOf = (method: string, route: string, status: number): Series => {
    let ofRoute = routes.get(route);
    if (ofRoute === undefined) {
      ofRoute = new Map();
      routes.set(route, ofRoute);
    }
    // A caller may send any word as its method; it must not make a series of its own.
    const known = METHODS.indexOf(method);
    const key = known * 1000 + status;
    let series = ofRoute.get(key);
    if (series === undefined) {
      const labels = { method: METHODS[known] ?? "other", route, status: String(status) };
      series = { labels, count: 0, seconds: 0, buckets: Array.from({ length: BOUNDS.length + 1 }, () => 0) };
      ofRoute.set(key, series);
      all.push(series);
    }
    return series;
  };
  registerDurations(metrics, all);
  new Counter({
    name: "http_requests_total",
    help: "Requests answered",
    labelNames: ["method", "route", "status"],
    registers: [metrics],
    collect() {
      this.reset();
      all.forEach(({ labels, count }) => this.inc(labels, count));
    },
  });
  new Gauge({
    name: "http_requests_in_flight",
    help: "Requests being worked on",
    registers: [metrics],
    collect() {
      this.set(open);
    },
  });
  return {
    begin: () => {
      open += 1;
    },
    end: (method, route, status, durationMs) => {
      open -= 1;
      const series = seriesOf(method, route, status);
      const seconds = durationMs / 1000;
      series.count += 1;
      series.seconds += seconds;
      const bucket = BOUNDS.findIndex((bound) => seconds <= bound);
      const place = bucket === -1 ? BOUNDS.length : bucket;
      series.buckets[place] = (series.buckets[place] ?? 0) + 1;
    },
  };
}

function registerDurations(metrics: Registry, all: readonly Series[]): void {
  const name = "http_request_duration_seconds";
  const durations = {
    name,
    get: () =>
      Promise.resolve({
        name,
        help: "Time from the request's head to the end of the answer",
        type: "histogram",
        aggregator: "sum",
        values: all.flatMap((series) => histogramValues(name, series)),
      }),
    reset: () => undefined,
  };
  // The name and `get` are all that a registry asks a metric for.
  metrics.registerMetric(durations as unknown as Metric);
}

/** The lines of one series: buckets hold everything up to their bound. */
function histogramValues(name: string, { labels, buckets, seconds, count }: Series): object[] {
  let within = 0;
  const lines = BOUNDS.map((bound, at) => {
    within += buckets[at] ?? 0;
    return { metricName: `${name}_bucket`, labels: { le: bound, ...labels }, value: within };
  });
  return [
    ...lines,
    { metricName: `${name}_bucket`, labels: { le: "+Inf", ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
