/** How many gRPC calls a Temporal server has answered, by its own metrics. Its log names their URL. */
import { existsSync, readFileSync } from 'node:fs';

/** URL of the metrics of a development server; empty when its log does not name one. */
export function metricsUrlIn(logFile: string): string {
  if (!existsSync(logFile)) return '';
  return /^Metrics:\s+(\S+)/m.exec(readFileSync(logFile, 'utf8'))?.[1] ?? '';
}

/** Includes polls, but not calls between Temporal's own services. */
export async function readTemporalCalls(metricsUrl: string): Promise<number> {
  const page = await (await fetch(metricsUrl)).text();
  return callsIn(page);
}

export function callsIn(page: string): number {
  let calls = 0;
  for (const [, labels = '', count] of page.matchAll(/^service_requests\{(.*)\} (\S+)$/gm))
    if (labels.includes('service_name="frontend"')) calls += Number(count);
  return calls;
}
