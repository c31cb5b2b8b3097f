/** Runs scenarios one after another and reports for each whether it passes. */
import { buyerHangs } from './buyerHangs.js';
import { buyerRefuses } from './buyerRefuses.js';
import { healthy } from './healthy.js';
import { SCENARIO_NAMES, type ScenarioName } from './names.js';
import { outages } from './outages.js';
import { parked } from './parked.js';
import type { Outcome, Scenario, ScenarioOptions } from './scenario.js';
import { describeTable } from './table.js';

const SCENARIOS: Record<ScenarioName, Scenario> = {
  'buyer-refuses': buyerRefuses,
  'buyer-hangs': buyerHangs,
  parked,
  outages,
  healthy,
};

export interface Verdict {
  scenario: ScenarioName;
  failures: string[];
  figures: Record<string, unknown>;
}

/** Prints tables and a verdict for each: `name: ok`, or `name: FAILED: why`. */
export async function runScenarios(
  which: ScenarioName | 'all',
  options: ScenarioOptions,
  tell: (line: string) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const scenario of which === 'all' ? SCENARIO_NAMES : [which]) {
    options.say(`scenario ${scenario}`);
    const outcome = await SCENARIOS[scenario](options).catch(broken);
    outcome.tables.flatMap(describeTable).forEach(tell);
    tell('');
    tell(`${scenario}: ${lineOf(outcome)}`);
    verdicts.push({ scenario, failures: outcome.failures, figures: outcome.figures });
  }
  return verdicts;
}

const lineOf = ({ failures }: Outcome): string =>
  failures.length === 0 ? 'ok' : `FAILED: ${failures.join('; ')}`;

function broken(error: unknown): Outcome {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { tables: [], failures: [`it could not be played: ${why}`], figures: {} };
}
