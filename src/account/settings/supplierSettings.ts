/** The settings of a supplier. */
import { flag } from '../../lib/schema/settings.js';
import { LEAD_RATE, PING_RATE, rateSetting } from '../rateLimit.js';
import { setting, settingsTable, type StoredBy } from './settingsTable.js';
import { ActiveStatus } from './termKinds.js';

export const SUPPLIER = settingsTable(
  {
    status: setting(ActiveStatus, {
      default: 'active',
      label: 'Status',
      about: 'The leads of a paused supplier are refused',
    }),
    test_mode: setting(flag(), {
      default: false,
      label: 'Test mode',
      about: 'In test mode all leads it sends are test leads',
    }),
    rate_limit: rateSetting(LEAD_RATE, 'The rate limit of its leads'),
  },
  {
    ping_rate_limit: rateSetting(PING_RATE, 'The rate limit of its pings'),
  },
);

export type SupplierSettings = StoredBy<typeof SUPPLIER>;
