import type { DeliverySettings } from '../../rules/deliverySettings.js';
import { RESERVED_HEADERS } from '../../rules/reservedHeaders.js';
import { COMMON_KEYS, readCommon } from './common.js';
import { readHeaders } from './headers.js';
import type { MethodReader } from './method.js';
import { readResponse } from './response.js';
import { readBodyTemplate } from './template.js';
import { readUrl } from './url.js';

const TIMEOUT_MS = 5_000;

export const webhook: MethodReader<'WEBHOOK'> = {
  keys: [...COMMON_KEYS, 'url', 'headers', 'format', 'template', 'response'],
  read(read, { policy, fieldNames }): DeliverySettings<'WEBHOOK'> {
    const format = read.choice('format', 'json', ['json', 'form']);
    const url = readUrl(read, policy, 'leads are posted to');
    return {
      method: 'WEBHOOK',
      url,
      headers: readHeaders(read, RESERVED_HEADERS),
      format,
      template: readBodyTemplate(read, format, fieldNames),
      response: readResponse(read),
      ...readCommon(read, TIMEOUT_MS),
    };
  },
};
