import type { DeliverySettings } from '../../rules/deliverySettings.js';
import { ADDRESSES, readAddresses } from './addresses.js';
import { COMMON_KEYS, readCommon } from './common.js';
import type { MethodReader } from './method.js';
import { readTextTemplate } from './template.js';

/** Mail servers look things up before they answer. */
const TIMEOUT_MS = 20_000;
const SUBJECT_LENGTH = 200;
const TEMPLATE_LENGTH = 65_536;

export const email: MethodReader<'EMAIL'> = {
  keys: [...COMMON_KEYS, 'to', 'cc', 'subject', 'format', 'template', 'attach_json'],
  read(read, { policy, fieldNames }): DeliverySettings<'EMAIL'> {
    if (policy.mail !== true) {
      read.problem(
        'method',
        'not_allowed',
        'EMAIL needs a mail server: set SMTP_URL and SMTP_FROM.',
      );
    }
    const to = readAddresses(read, 'to');
    if ([read.given('to') ?? []].flat().length === 0) {
      read.problem('to', 'required', `must be 1 to ${ADDRESSES} addresses.`);
    }
    return {
      method: 'EMAIL',
      to,
      cc: readAddresses(read, 'cc'),
      subject: readTextTemplate(read, 'subject', SUBJECT_LENGTH, fieldNames),
      format: read.choice('format', 'text', ['text', 'html']),
      template: readTextTemplate(read, 'template', TEMPLATE_LENGTH, fieldNames),
      attach_json: read.flag('attach_json', false),
      checked: true,
      ...readCommon(read, TIMEOUT_MS),
    };
  },
};
