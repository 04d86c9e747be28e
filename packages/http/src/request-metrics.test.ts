import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createRequestMetrics } from "./request-metrics.ts";

test("requests are counted and timed by method, route and status", async () => {
  const registry = new Registry();
  const metrics = createRequestMetrics(registry);
  for (const durationMs of [0.2, 2, 2, 61_000]) {
    metrics.begin();
    metrics.end("POST", "/things/:id", 200, durationMs);
  }
  metrics.begin();
  metrics.end("POST", "/things/:id", 404, 30);
  metrics.begin();
  metrics.end("BREW", "/things/:id", 405, 1);
  metrics.begin();
  const text = await registry.metrics();
  const of = (labels: string): string[] => text.split("\n").filter((line) => line.includes(labels));
  const series = 'method="POST",route="/things/:id",status="200"';
  expect(of(`http_requests_total{${series}}`)).toEqual([`http_requests_total{${series}} 4`]);
  expect(of(`http_requests_total{method="other",route="/things/:id",status="405"}`)).toHaveLength(1);
  expect(of(`http_requests_total{method="POST",route="/things/:id",status="404"} 1`)).toHaveLength(1);
  const lines = of(`http_request_duration_seconds_`).filter((line) => line.includes(series));
  expect(lines).toHaveLength(18);
  const bucket = (bound: string): string => `http_request_duration_seconds_bucket{le="${bound}",${series}}`;
  expect(lines).toContain(`${bucket("0.0005")} 1`);
  expect(lines).toContain(`${bucket("0.001")} 1`);
  expect(lines).toContain(`${bucket("0.0025")} 3`);
  expect(lines).toContain(`${bucket("60")} 3`);
  expect(lines).toContain(`${bucket("+Inf")} 4`);
  expect(lines).toContain(`http_request_duration_seconds_count{${series}} 4`);
  expect(lines.at(-2)).toMatch(/_sum\{.*\} 61\.0042$/);
  expect(text).toContain("# TYPE http_request_duration_seconds histogram");
  expect(text).toContain("http_requests_in_flight 1");
});
