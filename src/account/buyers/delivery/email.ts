import type { MethodRules } from './method.js';
import { placeholderProblems } from './template.js';

const NO_MAIL = 'EMAIL needs a mail server: set SMTP_URL and SMTP_FROM';

export const email: MethodRules<'EMAIL'> = ({ subject, template }, { policy, fieldNames }) => ({
  // Whom new settings name must have confirmed.
  settled: { checked: true },
  problems: [
    ...(policy.mail === true
      ? []
      : [{ path: ['method'], code: 'not_allowed' as const, rule: NO_MAIL }]),
    ...placeholderProblems('subject', subject ?? null, fieldNames),
    ...placeholderProblems('template', template ?? null, fieldNames),
  ],
});
