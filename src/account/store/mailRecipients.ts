/** The recipients that may get mails from an organization: those that have confirmed it themselves. */
import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export interface MailRecipientDoc {
  _id: string;
  org_id: string;
  /** In lower case. Unique within the organization. */
  address: string;
  created_at: Date;
  /** When a confirmation was last requested; absent: it must be requested. */
  asked_at?: Date;
  /** Absent: it has not confirmed yet, and gets no mail. */
  confirmed_at?: Date;
}

export type MailRecipientStore = ReturnType<typeof createMailRecipientStore>;

/** Minimum milliseconds between two requests to one recipient. */
const ASK_AGAIN_MS = 3_600_000;

export const mailKey = (address: string): string => address.toLowerCase();

export function createMailRecipientStore(rows: Collection<MailRecipientDoc>) {
  const keysOf = (addresses: readonly string[]) => [...new Set(addresses.map(mailKey))];
  return {
    /** The addresses that have not confirmed, as they were given. */
    async unconfirmed(org_id: string, addresses: readonly string[]): Promise<string[]> {
      const found = await rows
        .find(
          { org_id, address: { $in: keysOf(addresses) } },
          { projection: { confirmed_at: 1, address: 1 } },
        )
        .toArray();
      const confirmed = new Set(found.filter((one) => one.confirmed_at).map((one) => one.address));
      return addresses.filter((address) => !confirmed.has(mailKey(address)));
    },
    /** Marks addresses as confirmed: they got mails before confirmation was required. */
    async keep(org_id: string, addresses: readonly string[], now: Date): Promise<void> {
      for (const address of keysOf(addresses))
        await insert(rows, { org_id, address, created_at: now, confirmed_at: now });
      await rows.updateMany(
        { org_id, address: { $in: keysOf(addresses) }, confirmed_at: { $exists: false } },
        { $set: { confirmed_at: now } },
      );
    },
    /** Returns the recipients to ask now: of concurrent calls one gets each. Confirmed recipients are left out. */
    async toAsk(
      org_id: string,
      addresses: readonly string[],
      now: Date,
    ): Promise<MailRecipientDoc[]> {
      const before = new Date(Number(now) - ASK_AGAIN_MS);
      const due: MailRecipientDoc[] = [];
      for (const address of keysOf(addresses)) {
        await insert(rows, { org_id, address, created_at: now });
        const one = await rows.findOneAndUpdate(
          {
            org_id,
            address,
            confirmed_at: { $exists: false },
            $or: [{ asked_at: { $exists: false } }, { asked_at: { $lte: before } }],
          },
          { $set: { asked_at: now } },
          { returnDocument: 'after' },
        );
        if (one) due.push(one);
      }
      return due;
    },
    /** The mail that asks it could not be sent: the next call may ask again. */
    async notAsked(_id: string): Promise<void> {
      await rows.updateOne({ _id }, { $unset: { asked_at: true } });
    },
    get: (_id: string) => rows.findOne({ _id }),
    /** Repeating it changes nothing. */
    async confirm(_id: string, now: Date): Promise<void> {
      await rows.updateOne(
        { _id, confirmed_at: { $exists: false } },
        { $set: { confirmed_at: now } },
      );
    },
  };
}

async function insert(
  rows: Collection<MailRecipientDoc>,
  { org_id, address, ...rest }: Omit<MailRecipientDoc, '_id'>,
): Promise<void> {
  const $setOnInsert = { _id: randomUUID(), ...rest };
  try {
    await rows.updateOne({ org_id, address }, { $setOnInsert }, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

export const RECIPIENT_INDEXES: IndexRow[] = [
  index(
    'mail_recipients',
    { org_id: 1, address: 1 },
    'whether an address has confirmed; one record for each',
    { unique: true },
  ),
];
