/** Rate limits as settings: some of the numbers may be given. */
import { z } from 'zod';
import type { RateLimit } from '../../platform/rateLimits/store/rateDoc.js';
import { checkRateLimit, type Rate } from '../rateLimit.js';
import { setting } from './settingsTable.js';

export const rateSetting = (rate: Rate, about: string) =>
  setting(
    z.codec(rate.schema.partial(), z.custom<RateLimit>(), {
      decode: (given) => checkRateLimit(rate, given),
      encode: (limit) => limit,
    }),
    { default: rate.defaults, label: rate.label, about, view: rate.schema, inParts: true },
  );
