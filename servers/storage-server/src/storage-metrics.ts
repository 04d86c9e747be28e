import { type Collector, type Scrubber } from "@trefoil/blob-storage";
import { Counter, Gauge, type Registry } from "prom-client";

export interface StorageMetricsSources {
  readonly collector: Collector;
  readonly scrubber: Scrubber;
}

/** What the collector and the scrubber did, read when `/metrics` is asked for. */
export function registerStorageMetrics(metrics: Registry, { collector, scrubber }: StorageMetricsSources): void {
  const registers = [metrics];
  const counters: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ["objects_collector_runs_total", "Collections that finished", () => collector.totals.collections],
    ["objects_collector_extents_total", "Unused extents removed", () => collector.totals.extents],
    ["objects_collector_containers_total", "Deleted containers removed", () => collector.totals.containers],
    ["objects_collector_orphans_total", "Files of uploads cut off by a crash removed", () => collector.totals.orphans],
    ["objects_scrubber_extents_total", "Extents verified", () => scrubber.totals.extents],
    ["objects_scrubber_bytes_total", "Bytes verified", () => scrubber.totals.bytes],
    ["objects_scrubber_damaged_total", "Times that damage was found", () => scrubber.totals.damaged],
  ];
  for (const [name, help, read] of counters) {
    const counter: Counter = new Counter({
      name,
      help,
      registers,
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }
  const damaged: Gauge = new Gauge({
    name: "objects_damaged_extents",
    help: "Extents that are marked as damaged now",
    registers,
    collect: () => damaged.set(scrubber.countDamaged()),
  });
}
