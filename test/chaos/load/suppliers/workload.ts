/** Which leads are posted, by which supplier and how: decided by the seed alone, before any answer is known. */
import { createRandom, type Random } from '../../prng.js';
import { createPeople, spellEmail, spellPhone, type Contact, type People } from './people.js';

export interface PostedCampaign {
  campaign_id: string;
  /** Relative weight among all leads. */
  weight: number;
  suppliers: readonly { id: string; key: string }[];
  /** Each person is posted 3 to 6 times within this many milliseconds; without it, once. */
  repeatedWithinMs?: number;
}

/**
 * - `aborts`: closes its first connection before the answer, and sends the lead again.
 * - `twice`: sends the lead twice at the same time, under one key.
 * - `alters`: after the answer, sends another body under the same key.
 */
export type Habit = 'plain' | 'aborts' | 'twice' | 'alters';

export interface Intent extends Contact {
  intent: number;
  campaign_id: string;
  supplier: { id: string; key: string };
  idempotency_key: string | null;
  /** Its `chaos_intent` identifies a lead of the record by its intent: the service keeps it under `extra`. */
  body: Record<string, unknown>;
  habit: Habit;
  /** Milliseconds after its turn. */
  delayMs: number;
  /** Time until the next turn, in seconds at a rate of one per second. */
  gap: number;
}

export interface WorkloadOptions {
  seed: string;
  campaigns: readonly PostedCampaign[];
  /** `poisson`, the default, comes in bursts like real leads. */
  spacing?: 'poisson' | 'even';
  /** Share of leads with an Idempotency-Key, 0 to 1; by default stretches of leads without keys alternate with others. */
  keyed?: number;
  habits?: Partial<Record<Exclude<Habit, 'plain'>, number>>;
  /** Leads and requests have numbers above this, so that several suppliers may share a history; 0 by default. */
  numbersFrom?: number;
}

/** Leads that have keys, or none, one after the other: a group without keys takes another path than one with some. */
const STRETCH = 100;
const HABITS = { aborts: 0.02, twice: 0.01, alters: 0.01 };
const GROUP: readonly [number, number] = [3, 6];

/** Endless. @throws {Error} when there is no campaign, or one has no supplier */
export function createWorkload(options: WorkloadOptions): Generator<Intent, never> {
  const empty = options.campaigns.find(({ suppliers }) => suppliers.length === 0);
  if (empty) throw new Error(`Campaign ${empty.campaign_id} has no supplier to post its leads`);
  if (options.campaigns.length === 0) throw new Error('There is no campaign to post leads to');
  return drawIntents(options);
}

function* drawIntents(options: WorkloadOptions): Generator<Intent, never> {
  const random = createRandom(options.seed, 'suppliers');
  const people = createPeople(options.seed);
  const weighted = options.campaigns.map((campaign) => [campaign, campaign.weight] as const);
  let intent = options.numbersFrom ?? 0;
  for (;;) {
    const campaign = random.weighted(weighted);
    const { repeatedWithinMs } = campaign;
    const contacts =
      repeatedWithinMs === undefined
        ? [{ phone: people.phone(), email: people.email() }]
        : oneGroup(people, random);
    for (const [index, contact] of contacts.entries()) {
      const isLast = index === contacts.length - 1;
      yield {
        ...oneIntent(++intent, campaign, contact, random, options),
        delayMs: random.between(0, repeatedWithinMs ?? 0),
        gap: isLast ? contacts.length * spacing(options, random) : 0,
      };
    }
  }
}

const spacing = (options: WorkloadOptions, random: Random): number =>
  options.spacing === 'even' ? 1 : -Math.log(1 - random.next());

/** Same phone, same email, both, or one of several of each. */
function oneGroup(people: People, random: Random): Contact[] {
  const phones = [people.phone(), people.phone()];
  const emails = [people.email(), people.email()];
  const [phone = '', email = ''] = [phones[0], emails[0]];
  const make = random.pick<() => Contact>([
    () => ({ phone, email: people.email() }),
    () => ({ phone: people.phone(), email }),
    () => ({ phone, email }),
    () => ({ phone: random.pick(phones), email: random.pick(emails) }),
  ]);
  return Array.from({ length: random.between(...GROUP) }, make);
}

function oneIntent(
  intent: number,
  campaign: PostedCampaign,
  contact: Contact,
  random: Random,
  options: WorkloadOptions,
): Omit<Intent, 'delayMs' | 'gap'> {
  const supplier = random.pick(campaign.suppliers);
  const habit = oneHabit(random, options);
  const keyed = options.keyed ?? Math.floor(intent / STRETCH) % 2;
  const isKeyed = random.next() < keyed || habit === 'twice' || habit === 'alters';
  return {
    intent,
    campaign_id: campaign.campaign_id,
    supplier,
    idempotency_key: isKeyed ? `lead-${intent}-${random.between(0, 1e9).toString(36)}` : null,
    ...contact,
    body: {
      flo_campaign_id: campaign.campaign_id,
      flo_supplier_id: supplier.id,
      first_name: 'Jane',
      last_name: `Doe ${intent}`,
      phone: spellPhone(contact.phone, random),
      email: spellEmail(contact.email, random),
      state: 'CA',
      chaos_intent: intent,
    },
    habit,
  };
}

function oneHabit(random: Random, { habits }: WorkloadOptions): Habit {
  let left = random.next();
  const shares = Object.entries({ ...HABITS, ...habits }) as [Habit, number][];
  return shares.find(([, share]) => (left -= share) < 0)?.[0] ?? 'plain';
}
