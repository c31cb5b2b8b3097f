/**
 * The allowance of a key, shared by all processes: two token buckets in one document, refilled by the
 * clock of the database (contract 3.4).
 */
import type { Collection, Document } from 'mongodb';
import type { RateDoc, RateLimit } from './rateDoc.js';
import { retryUpsert } from '../../mongo/databaseErrors.js';

/** A bucket gains `rate` tokens a second and holds `room` at most. It starts full. */
export interface TokenBucket {
  rate: number;
  room: number;
}

export interface TokenDraw {
  /** Whole tokens taken from both buckets. */
  granted: number;
  /** What is left in each; parts of a token too. */
  burst: number;
  sustained: number;
}

/**
 * Both buckets must have a token. The burst bucket holds a second of the burst rate; the sustained one
 * what a full burst spends beyond the sustained rate: 100/s with 200/s for 10 s makes room for 1,000.
 * A limit without burst gets a second of its rate as room.
 */
export function createRateBuckets(limit: RateLimit): {
  burst: TokenBucket;
  sustained: TokenBucket;
} {
  const beyond = (limit.burst_per_second - limit.per_second) * limit.burst_seconds;
  const sustainedRoom = beyond > 0 ? beyond : limit.per_second;
  return {
    burst: { rate: limit.burst_per_second, room: Math.max(1, limit.burst_per_second) },
    sustained: { rate: limit.per_second, room: Math.max(1, sustainedRoom) },
  };
}

/**
 * Returns unused tokens, then takes up to `want`, in one atomic update.
 * It does not wait for the journal: a count lost with the server lets a few requests pass, and loses no lead.
 */
export async function drawTokens(
  rates: Collection<RateDoc>,
  draw: { key: string; limit: RateLimit; want: number; giveBack: number },
): Promise<TokenDraw> {
  const doc = await retryUpsert(() =>
    rates.findOneAndUpdate({ _id: draw.key }, drawPipeline(draw), {
      upsert: true,
      returnDocument: 'after',
      writeConcern: { w: 1, journal: false },
    }),
  );
  if (!doc) throw new Error('MongoDB returned no document for an update with upsert');
  return { granted: doc.granted, burst: doc.burst, sustained: doc.sustained };
}

function drawPipeline(draw: { limit: RateLimit; want: number; giveBack: number }): Document[] {
  const { burst, sustained } = createRateBuckets(draw.limit);
  const refilled = (field: string, bucket: TokenBucket): Document => ({
    $min: [
      bucket.room,
      {
        $add: [
          { $ifNull: [`$${field}`, bucket.room] },
          { $divide: [{ $multiply: ['$elapsed', bucket.rate] }, 1_000] },
          draw.giveBack,
        ],
      },
    ],
  });
  return [
    // An update that a later one overtook sees a time in its future: nothing has elapsed then.
    { $set: { at: { $max: ['$at', '$$NOW'] }, elapsed: sinceLast } },
    { $set: { burst: refilled('burst', burst), sustained: refilled('sustained', sustained) } },
    { $set: { granted: { $max: [0, { $min: [wholeTokens, draw.want] }] } } },
    {
      $set: {
        burst: { $subtract: ['$burst', '$granted'] },
        sustained: { $subtract: ['$sustained', '$granted'] },
      },
    },
    { $unset: 'elapsed' },
  ];
}

/** Milliseconds since the last draw, by the database's clock. */
const sinceLast = { $max: [0, { $subtract: ['$$NOW', { $ifNull: ['$at', '$$NOW'] }] }] };
const wholeTokens = { $floor: { $min: ['$burst', '$sustained'] } };
