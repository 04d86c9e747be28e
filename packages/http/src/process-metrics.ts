import { readdirSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { Counter, Gauge, type Registry } from "prom-client";

type Row = readonly [name: string, help: string, read: () => number];

/**
 * What every server says of its process, under the names that Prometheus' clients for Node use. Not theirs, because with
 * them come the collections of garbage, each of them an event that costs more than a small one itself
 * (docs/decisions/0204); what collections do to requests is in the event loop's delay.
 */
export function registerProcessMetrics(metrics: Registry): void {
  const registers = [metrics];
  for (const [name, help, read] of counters) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
  for (const [name, help, read] of [...gauges, ...(process.platform === "linux" ? gaugesOfLinux : [])]) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
  new Gauge({
    name: "nodejs_version_info",
    help: "Node.js version info.",
    labelNames: ["version"],
    registers,
  }).set({ version: process.version }, 1);
  registerEventLoop(registers);
  registerHeapSpaces(registers);
  registerResources(registers);
}

const counters: readonly Row[] = [
  ["process_cpu_user_seconds_total", "Time of the processor in the process.", () => process.cpuUsage().user / 1e6],
  ["process_cpu_system_seconds_total", "Time of the processor in the system.", () => process.cpuUsage().system / 1e6],
  ["process_cpu_seconds_total", "Time of the processor in both.", processorSeconds],
];

const gauges: readonly Row[] = [
  ["process_start_time_seconds", "Start of the process, since 1970.", () => performance.timeOrigin / 1000],
  ["process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss()],
  ["nodejs_heap_size_total_bytes", "The engine's heap.", () => process.memoryUsage().heapTotal],
  ["nodejs_heap_size_used_bytes", "What of the engine's heap is used.", () => process.memoryUsage().heapUsed],
  ["nodejs_external_memory_bytes", "Memory outside that the heap holds.", () => process.memoryUsage().external],
];

const gaugesOfLinux: readonly Row[] = [
  ["process_virtual_memory_bytes", "Virtual memory.", () => kibibytesOf("VmSize") * 1024],
  ["process_heap_bytes", "Memory for data.", () => kibibytesOf("VmData") * 1024],
  ["process_open_fds", "Open file descriptors.", () => readdirSync("/proc/self/fd").length - 1],
  ["process_max_fds", "How many there may be.", mostOpenFiles],
];

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function kibibytesOf(name: string): number {
  const text = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "mu").exec(text)?.[1]);
}

function mostOpenFiles(): number {
  const text = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files\s+(\d+)/mu.exec(text)?.[1]);
}

/** How long the event loop keeps what is ready waiting: since the last time that somebody asked, and now. */
function registerEventLoop(registers: Registry[]): void {
  const delays = monitorEventLoopDelay({ resolution: 50 });
  delays.enable();
  const help = "Delay of the event loop.";
  const figures: Readonly<Record<string, () => number>> = {
    min: () => delays.min,
    max: () => delays.max,
    mean: () => delays.mean,
    stddev: () => delays.stddev,
    p50: () => delays.percentile(50),
    p90: () => delays.percentile(90),
    p99: () => delays.percentile(99),
  };
  for (const [figure, readNs] of Object.entries(figures)) {
    new Gauge({
      name: `nodejs_eventloop_lag_${figure}_seconds`,
      help,
      registers,
      collect() {
        // Just after it was asked it has none, and its least is the largest number.
        this.set(delays.count === 0 ? 0 : readNs() / 1e9);
      },
    });
  }
  // Behind the others, which a registry asks in their order.
  new Gauge({
    name: "nodejs_eventloop_lag_seconds",
    help,
    registers,
    async collect() {
      delays.reset();
      const beganMs = performance.now();
      await setImmediate();
      this.set((performance.now() - beganMs) / 1000);
    },
  });
}

function registerHeapSpaces(registers: Registry[]): void {
  const kinds = { total: "space_size", used: "space_used_size", available: "space_available_size" } as const;
  for (const [kind, field] of Object.entries(kinds)) {
    new Gauge({
      name: `nodejs_heap_space_size_${kind}_bytes`,
      help: "The parts of the engine's heap.",
      labelNames: ["space"],
      registers,
      collect() {
        for (const space of getHeapSpaceStatistics()) {
          this.set({ space: space.space_name.replace(/_space$/u, "") }, space[field]);
        }
      },
    });
  }
}

/** What keeps the event loop alive: sockets, timers, files. */
function registerResources(registers: Registry[]): void {
  new Gauge({
    name: "nodejs_active_resources",
    help: "What keeps the event loop alive, by kind.",
    labelNames: ["type"],
    registers,
    collect() {
      this.reset();
      process.getActiveResourcesInfo().forEach((type) => this.inc({ type }));
    },
  });
  new Gauge({
    name: "nodejs_active_resources_total",
    help: "What keeps the event loop alive.",
    registers,
    collect() {
      this.set(process.getActiveResourcesInfo().length);
    },
  });
}
