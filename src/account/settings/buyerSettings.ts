/** The settings of a buyer. Delivery, ping and returns have separate tables: `buyers/`. */
import { z } from 'zod';
import { flag } from '../../lib/schema/settings.js';
import { POSTBACK_RATE, rateSetting } from '../rateLimit.js';
import { setting, settingsTable, type StoredBy } from './settingsTable.js';
import { ActiveStatus } from './termKinds.js';

const contact = (label: string, about: string) =>
  setting(z.string().max(200).nullable(), { default: null, label, about });

export const BUYER = settingsTable(
  {
    status: setting(ActiveStatus, {
      default: 'active',
      label: 'Status',
      about: 'A paused buyer gets no leads',
    }),
    test_mode: setting(flag(), {
      default: false,
      label: 'Test mode',
      about: 'In test mode it gets only test leads',
    }),
  },
  {
    email: contact('Email', 'Contact of the buyer'),
    phone: contact('Phone', 'Contact of the buyer'),
    location: contact('Location', 'Location of the buyer'),
    rate_limit: rateSetting(POSTBACK_RATE, 'The rate limit of its outcomes'),
  },
);

export type BuyerSettings = StoredBy<typeof BUYER>;
