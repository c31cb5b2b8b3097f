/** What expressions of PromQL ask for, by the grammar of Prometheus. */
import { parser } from '@prometheus-io/lezer-promql';

export interface Selected {
  metric: string;
  /** The labels that its matchers name. */
  labels: string[];
}

/** Variables of Grafana stand where a duration, or a text, stands in PromQL. */
const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*');

/** Labels that an expression groups or joins by. */
export function groupedBy(expression: string): string[] {
  const text = withoutVariables(expression);
  const names: string[] = [];
  parser.parse(text).iterate({
    enter({ type, from, to, node }) {
      if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels')
        names.push(text.slice(from, to));
    },
  });
  return names;
}

/**
 * The metrics that an expression selects.
 * @throws {SyntaxError} naming the place, when it is no PromQL
 */
export function selectedBy(expression: string): Selected[] {
  const text = withoutVariables(expression);
  const selected: Selected[] = [];
  const cursor = parser.parse(text).cursor();
  do {
    const { type, from, to } = cursor;
    if (type.isError) throw new SyntaxError(`No PromQL at ${from}: ${text}`);
    if (type.name === 'VectorSelector') selected.push({ metric: '', labels: [] });
    const latest = selected.at(-1);
    const parent = cursor.node.parent?.name;
    if (type.name === 'Identifier' && parent === 'VectorSelector' && latest)
      latest.metric = text.slice(from, to);
    if (type.name === 'LabelName' && parent === 'UnquotedLabelMatcher')
      latest?.labels.push(text.slice(from, to));
  } while (cursor.next());
  return selected;
}
