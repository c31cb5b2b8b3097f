import type { DeliverySettings } from '../../domain/deliverySettings.js';
import { COMMON_KEYS, readCommon } from './common.js';
import type { MethodReader } from './method.js';
import { checkNames } from './template.js';

const TIMEOUT_MS = 10_000;
const COLUMNS = 200;
const NAME_LENGTH = 100;

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
    const id = read.text('spreadsheet_id', NAME_LENGTH);
    if (id === null || !/^[A-Za-z0-9_-]{10,}$/.test(id)) {
      read.problem(
        'spreadsheet_id',
        id === null ? 'required' : 'invalid_format',
        'must be the part of the address of the sheet between /d/ and the next slash.',
      );
    }
    const columns = read.texts('columns', COLUMNS);
    checkNames(read, 'columns', columns ?? [], fieldNames);
    // A row that may be there is looked for before it is appended again.
    const common = readCommon(read, TIMEOUT_MS, { honoursKey: true });
    const sheet = read.text('sheet', NAME_LENGTH);
    return { method: 'GOOGLE_SHEET', spreadsheet_id: id ?? '', sheet, columns, ...common };
  },
};
