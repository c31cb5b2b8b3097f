import { globSync } from 'node:fs';
import { join } from 'node:path';

/** The pure rules that a wrong line makes expensive: who gets a lead, at what price, and who may do what. */
const SCOPE = [
  // Routing and caps
  'src/routing/rules/*.ts',
  'src/account/rules/capLimits.ts',
  'src/fields/{days,windowKeys,schedule}.ts',
  // Money
  'src/fields/money.ts',
  'src/account/rules/{bid,pricing}.ts',
  'src/leads/rules/{saleMoney,staticBids}.ts',
  'src/pings/rules/{auction,bidPrice}.ts',
  // Duplicates
  'src/fields/storedForms.ts',
  'src/leads/rules/{dedupe,duplicates,keyTimes,locks}.ts',
  // Filters
  'src/fields/{checkFilters,checkFilterValue,filterOperators,filterRules,filters,readOperator,sameValue}.ts',
  // Returns
  'src/leads/rules/{resale,saleChange}.ts',
  'src/outcomes/rules/{applyChange,changeEvents,outcomeMatch,returnRules}.ts',
  // Permissions
  'src/api/actions/{access,roles}.ts',
  'src/people/scopes.ts',
];

/**
 * The sources in scope that these patterns name, all of them without a pattern. A file that a pattern names in full is
 * taken although the scope lacks it.
 * @param root the project's folder
 */
export function sourcesNamed(root: string, patterns: readonly string[]): string[] {
  const found = globSync(patterns.length > 0 ? [...patterns] : SCOPE, { cwd: root });
  return found
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(path))
    .toSorted();
}
