import type { MethodRules } from './method.js';
import { nameProblems } from './template.js';

const NO_SHEETS = 'GOOGLE_SHEET needs a service account: set GOOGLE_SERVICE_ACCOUNT_FILE';

export const googleSheet: MethodRules<'GOOGLE_SHEET'> = ({ columns }, { policy, fieldNames }) => ({
  settled: {},
  problems: [
    ...(policy.sheets === true
      ? []
      : [{ path: ['method'], code: 'not_allowed' as const, rule: NO_SHEETS }]),
    ...nameProblems('columns', columns ?? [], fieldNames),
  ],
});
