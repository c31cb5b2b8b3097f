/** The leads of a week: who they are, when they come and from which supplier. The same seed makes the same ones. */
import { v7 } from 'uuid';
import { dayAfter, startOfDay } from '../../fields/days.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { createRandom, type Random } from './random.js';
import { TRADES, type Trade, type TradeName } from './trades.js';

export interface SeedLead {
  /** Made of its time and the seed. */
  id: string;
  at: Date;
  supplier: string;
  /** As its supplier sends it, without the ids of campaign and supplier. */
  body: Readonly<Record<string, string | number | boolean>>;
  /** Draws the buyers' answers to it. */
  answers: string;
}

export interface Week {
  trade: TradeName;
  /** A whole number, 0 or more. */
  seed: number;
  /** The last moment; its day, and the six before it, have leads. */
  until: Date;
  timeZone: string;
  /** Leads of a day; default 40. */
  perDay?: number;
}

const DAYS = 7;
const LEADS_PER_DAY = 40;
const HOUR_MS = 3_600_000;
/** The share of leads whose phone came before on their day. */
const REPEATED = 0.04;
/** Leads by the hour of the day, relative to each other. */
const HOURS = [1, 1, 0, 0, 0, 1, 2, 4, 6, 8, 9, 9, 8, 8, 8, 8, 7, 7, 7, 6, 6, 5, 3, 2];

const PLACES = [
  { state: 'CA', area: '415', zip: '94103', weight: 26 },
  { state: 'TX', area: '512', zip: '78701', weight: 22 },
  { state: 'FL', area: '305', zip: '33101', weight: 16 },
  { state: 'AZ', area: '602', zip: '85004', weight: 12 },
  { state: 'NV', area: '702', zip: '89101', weight: 8 },
  { state: 'NY', area: '212', zip: '10001', weight: 8 },
  { state: 'OH', area: '614', zip: '43215', weight: 5 },
  { state: 'WA', area: '206', zip: '98101', weight: 3 },
];
const FIRST =
  'Maria James Yuki Olu Lena Paul Rita Noor Dwayne Ines Karl Vera Finn Tess Nils Ada'.split(' ');
const LAST =
  'Lopez Carter Tanaka Adeyemi Fischer Novak Haddad Moreau Berg Gilroy Weiss Patel'.split(' ');

/** Oldest first. The last day ends with its last moment; a phone is repeated within its day alone. */
export function leadsOfWeek({
  trade,
  seed,
  until,
  timeZone,
  perDay = LEADS_PER_DAY,
}: Week): SeedLead[] {
  const today = windowKeys(until, timeZone).day;
  const days = Array.from({ length: DAYS }, (_, n) => dayAfter(today, n + 1 - DAYS));
  return days
    .flatMap((day, n) => {
      const phones: string[] = [];
      const random = createRandom(`${trade}:${seed}:${n}`);
      const start = Number(startOfDay(day, timeZone));
      const times = Array.from({ length: perDay }, () => timeOfDay(random));
      return times
        .toSorted((a, b) => a - b)
        .map((time, count) => ({ at: new Date(start + time), n: n * perDay + count }))
        .map((place) => leadOf({ ...place, trade, phones, random }));
    })
    .filter(({ at }) => at <= until);
}

function timeOfDay(random: Random): number {
  const hours = HOURS.map((weight, hour) => ({ weight, hour }));
  return Math.floor((random.weighed(hours).hour + random.next()) * HOUR_MS);
}

interface Drawn {
  at: Date;
  /** Its number in the week. */
  n: number;
  trade: TradeName;
  /** Those of the leads of its day before it; its own is added. */
  phones: string[];
  random: Random;
}

function leadOf({ at, n, trade, phones, random }: Drawn): SeedLead {
  const { suppliers, ...values }: Trade = TRADES[trade];
  const { state, area, zip } = random.weighed(PLACES);
  const [first_name, last_name] = [random.pick(FIRST), random.pick(LAST)];
  const isRepeated = random.next() < REPEATED && phones.length > 0;
  const phone = isRepeated ? random.pick(phones) : `${area}555${String(1_000 + n)}`;
  phones.push(phone);
  const bytes = random.bytes(16);
  return {
    id: v7({ msecs: Number(at), random: bytes, seq: n }),
    at,
    supplier: random.weighed(suppliers).name,
    answers: Buffer.from(bytes).toString('hex'),
    body: {
      first_name,
      last_name,
      phone,
      email: `${first_name}.${last_name}.${n}@example.com`.toLowerCase(),
      state,
      zip_code: zip,
      ...values.draw(random),
    },
  };
}
