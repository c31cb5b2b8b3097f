/**
 * Plans as they are stored. A list of zip codes takes 16 bytes a code in a document, and MongoDB takes at most 16 MiB:
 * long lists of a big plan are packed to about a byte a code. What is read back is the same to the last code.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Binary, BSON } from 'mongodb';
import type { BuyerTerms, Plan } from '../rules/plan.js';
import type { ZipArea } from '../../fields/zips.js';

/** Approximate size of a code in a document. */
const CODE_BYTES = 16;
/** Shorter lists gain little. */
const PACKED_FROM_CODES = 100;
/** Smaller plans are stored unpacked, so that releases without packed lists can read them. */
const PACKED_FROM_BYTES = 1_048_576;
/** A code that can be packed: exactly five digits. */
const CODE = /^[0-9]{5}$/;

/** Replaces a list. */
interface PackedZips {
  packed: Binary;
}
type StoredTerms = Omit<BuyerTerms, 'zips'> & { zips: ZipArea | PackedZips | null };

/** The document of a plan. */
export function packPlan(plan: Plan): Plan {
  const codes = plan.buyers.reduce((sum, { zips }) => sum + (isLong(zips) ? zips.length : 0), 0);
  if (codes * CODE_BYTES < PACKED_FROM_BYTES) return plan;
  const buyers = plan.buyers.map((terms): StoredTerms => {
    const { zips } = terms;
    if (!isLong(zips) || !zips.every((zip) => CODE.test(zip))) return terms;
    return { ...terms, zips: { packed: new Binary(pack(zips)) } };
  });
  return { ...plan, buyers: buyers as BuyerTerms[] };
}

/** The plan of a document, from any release. */
export function unpackPlan(stored: Plan): Plan {
  const terms = stored.buyers as StoredTerms[];
  if (!terms.some(({ zips }) => isPacked(zips))) return stored;
  const buyers = terms.map((one) =>
    isPacked(one.zips) ? { ...one, zips: unpack(one.zips.packed) } : one,
  );
  return { ...stored, buyers: buyers as BuyerTerms[] };
}

/** Size of a plan as a document, in bytes. */
export const storedBytes = (plan: Plan): number => BSON.calculateObjectSize(packPlan(plan));

/** Approximate size of this plan in memory, in bytes of an unpacked document. */
export function unpackedBytes(stored: Plan, plan: Plan): number {
  const codes = plan.buyers.reduce((sum, { zips }) => sum + (isLong(zips) ? zips.length : 0), 0);
  return BSON.calculateObjectSize(stored) + (stored === plan ? 0 : codes * CODE_BYTES);
}

const isLong = (zips: ZipArea | null): zips is string[] =>
  Array.isArray(zips) && zips.length >= PACKED_FROM_CODES;

const isPacked = (zips: ZipArea | PackedZips | null): zips is PackedZips =>
  zips !== null && 'packed' in zips;

/** The differences between consecutive codes, deflated; any order of the codes is preserved. */
function pack(zips: readonly string[]): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const zip of zips) {
    const step = Number(zip) - before;
    before = Number(zip);
    // A number in groups of seven bits, its sign in the lowest bit.
    let rest = step < 0 ? -2 * step - 1 : 2 * step;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  }
  return deflateRawSync(Uint8Array.from(bytes));
}

function unpack({ buffer, position }: Binary): string[] {
  const zips: string[] = [];
  let [code, value, shift] = [0, 0, 0];
  for (const byte of inflateRawSync(buffer.subarray(0, position))) {
    value |= (byte & 127) << shift;
    shift += 7;
    if (byte > 127) continue;
    code += value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    zips.push(textOf(code));
    [value, shift] = [0, 0];
  }
  return zips;
}

const TEXTS: string[] = [];
/** One string shared by all plans that name the code. */
const textOf = (code: number): string => (TEXTS[code] ??= String(code).padStart(5, '0'));
