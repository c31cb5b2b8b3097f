/** The ids of entries: a list, and the hash that a person is found by. */
import type { Keyring } from '../../platform/security/seal.js';

/** A list and its organization: one person's entries in two organizations have nothing in common. */
export interface ListRef {
  list_id: string;
  org_id: string;
}

/** Separates list and hash in an entry's id, and marks the hash as MD5. An MD5 sorts before a keyed hash. */
const MD5_MARK = ':';
const HASH_MARK = ';';
const AFTER_MARKS = '<';
/** The character after a hex digit of any case. */
const AFTER_HEX = 'g';

/** The endings that entries of one person may have, in any list of the organization. */
export interface EntryForms {
  /** The form that this release stores. */
  current: string;
  /** All forms that may be stored, this release's and earlier ones'. */
  all: string[];
}

/**
 * @param hasMd5 entries of earlier releases may be left
 * @until 0.3 for `hasMd5`
 */
export function entryForms(
  { org_id, md5 }: { org_id: string; md5: string },
  keyring: Pick<Keyring, 'entryHashes'>,
  hasMd5: boolean,
): EntryForms {
  const [hash, ...older] = keyring.entryHashes(`${org_id}:${md5}`);
  const current = HASH_MARK + hash;
  const before = older.map((one) => HASH_MARK + one);
  return { current, all: [...(hasMd5 ? [MD5_MARK + md5] : []), ...before, current] };
}

/**
 * The MD5 in an entry's id of an earlier release.
 * @until 0.3
 */
export const md5Of = (entryId: string, listId: string): string =>
  entryId.slice(listId.length + MD5_MARK.length);

interface IdRange {
  $gte: string;
  $lt: string;
}

/** All entries of the list. */
export const entriesOf = (listId: string): IdRange => ({
  $gte: listId + MD5_MARK,
  $lt: listId + AFTER_MARKS,
});

/**
 * The entries of earlier releases.
 * @until 0.3
 */
export const md5EntriesOf = (listId: string): IdRange => ({
  $gte: listId + MD5_MARK,
  $lt: listId + MD5_MARK + AFTER_HEX,
});

const HEX = Array.from({ length: 16 }, (_, digit) => digit.toString(16));

/** All entries of the list in parts of about the same size. */
export const partsOf = (listId: string): IdRange[] =>
  [MD5_MARK, HASH_MARK].flatMap((mark) =>
    HEX.map((digit) => ({
      $gte: listId + mark + digit,
      $lt: listId + mark + digit + AFTER_HEX,
    })),
  );
