/** The table of metrics on the operations page, generated from the metrics that a process has. */
import { createMetrics } from '../../src/platform/metrics.js';
import { code, tableOf, withTable } from '../docs/generatedTable.js';

const START = '<!-- metrics: made by `npm run docs:metrics`, not by hand -->';
const END = '<!-- end of metrics -->';

export interface ListedMetric {
  name: string;
  type: string;
  labels: readonly string[];
  help: string;
}

/** Every metric of Leadwire; those of Node.js come from a library and are listed by it. */
export async function listMetrics(): Promise<ListedMetric[]> {
  const { everything } = createMetrics();
  const all = await everything.getMetricsAsJSON();
  return all.map(({ name, type, help }) => {
    // The library's types do not mention it.
    const { labelNames } = everything.getSingleMetric(name) as unknown as { labelNames: string[] };
    return { name, type: String(type), labels: labelNames, help };
  });
}

const metricsTable = (metrics: readonly ListedMetric[]): string =>
  tableOf(
    ['Metric', 'Type', 'Labels', 'Meaning'],
    metrics.map(({ name, type, labels, help }) => [
      code(name),
      type,
      labels.map(code).join(', '),
      help,
    ]),
  );

/**
 * The page with its table replaced.
 * @throws {Error} when the page lacks one of the two marks
 */
export const withMetrics = (page: string, metrics: readonly ListedMetric[]): string =>
  withTable(page, START, END, metricsTable(metrics));
