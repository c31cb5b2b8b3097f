import { RESERVED_HEADERS } from '../../rules/reservedHeaders.js';
import { headersOf } from './headers.js';
import type { MethodRules } from './method.js';
import { readBodyTemplate } from './template.js';
import { urlProblems } from './readUrl.js';

export const webhook: MethodRules<'WEBHOOK'> = (parsed, context, { laid, current }) => {
  const { headers, problems } = headersOf(laid, current, RESERVED_HEADERS);
  const { url, format = 'json', template: given = null } = parsed;
  const body =
    given === null
      ? { template: null, problems: [] }
      : readBodyTemplate(given, format, context.fieldNames);
  return {
    settled: { headers, template: body.template },
    problems: [
      ...(url === undefined ? [] : urlProblems(url, context.policy)),
      ...problems,
      ...body.problems,
    ],
  };
};
