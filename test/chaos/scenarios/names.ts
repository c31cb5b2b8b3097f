/** The measured scenarios, in the order in which `all` runs them. */
export const SCENARIO_NAMES = [
  'buyer-refuses',
  'buyer-hangs',
  'parked',
  'outages',
  'healthy',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];
