import type { DeliverySettings } from '../../rules/deliverySettings.js';
import { COMMON_KEYS, readCommon } from './common.js';
import type { MethodReader } from './method.js';
import { COLUMNS_MAX, readSheet } from './sheet.js';
import { checkNames } from './template.js';

const TIMEOUT_MS = 10_000;

export const googleSheet: MethodReader<'GOOGLE_SHEET'> = {
  keys: [...COMMON_KEYS, 'spreadsheet_id', 'sheet', 'columns'],
  read(read, { policy, fieldNames }): DeliverySettings<'GOOGLE_SHEET'> {
    if (policy.sheets !== true) {
      read.problem(
        'method',
        'not_allowed',
        'GOOGLE_SHEET needs a service account: set GOOGLE_SERVICE_ACCOUNT_FILE.',
      );
    }
    const columns = read.texts('columns', COLUMNS_MAX);
    checkNames(read, 'columns', columns ?? [], fieldNames);
    // A row that may be there is looked for before it is appended again.
    const common = readCommon(read, TIMEOUT_MS, { honoursKey: true });
    return { method: 'GOOGLE_SHEET', ...readSheet(read), columns, ...common };
  },
};
