/** How many gRPC calls a Temporal server has answered, as its own metrics say. Its log tells where they are. */
import { existsSync, readFileSync } from 'node:fs';

/** Where the metrics of a development server are; empty when its log does not say. */
export function metricsUrlIn(logFile: string): string {
  if (!existsSync(logFile)) return '';
  return /^Metrics:\s+(\S+)/m.exec(readFileSync(logFile, 'utf8'))?.[1] ?? '';
}

/** Polls are among them; calls between its own services are not. */
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
