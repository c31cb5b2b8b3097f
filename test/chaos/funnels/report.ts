/** The output of a proof. */
import { RULES, type FunnelViolation } from './check.js';
import type { FunnelRunResult } from './run.js';

/** Violations shown per rule. */
const SHOWN = 5;

/** The violations, by rule, and the folder that has everything. */
export function describeFunnelRun({ violations, folder }: FunnelRunResult): string[] {
  const byRule = Map.groupBy(violations, ({ rule }) => rule);
  const lines = [...byRule].flatMap(([rule, found]) => [
    `${rule}: ${found.length}`,
    ...found.slice(0, SHOWN).map(({ what }: FunnelViolation) => `  ${what}`),
  ]);
  return folder === null ? lines : [...lines, `Everything is kept in ${folder}`];
}

/** Counts the violations. */
export function lastFunnelLine({ evidence, violations, kills }: FunnelRunResult): string {
  const { visits, leads } = evidence;
  const count = (...rules: (typeof RULES)[number][]): number =>
    violations.filter(({ rule }) => rules.includes(rule)).length;
  const thanked = visits.filter(({ seen }) => seen.includes('thanks')).length;
  const named = ['thanks_without_lead', 'two_leads'] as const;
  const consent = [
    'lead_without_consent',
    'consent_after_lead',
    'consent_of_another',
    'two_consents',
  ] as const;
  const others = RULES.filter((rule) => ![...named, ...consent].some((one) => one === rule));
  const killed = Object.values(kills).reduce((sum, one) => sum + one, 0);
  return [
    `kills ${killed}`,
    `visits ${visits.length}`,
    `thanked ${thanked}`,
    `leads ${leads.filter(({ status }) => status !== 'WITHDRAWN').length}`,
    `thanked without a lead ${count('thanks_without_lead')}`,
    `two leads ${count('two_leads')}`,
    `consent ${count(...consent)}`,
    `other ${count(...others)}`,
  ].join(', ');
}
