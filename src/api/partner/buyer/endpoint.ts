/** How leads reach a buyer: what the buyer may see and change of it, and its secrets. */
import { z } from 'zod';
import { findBuyer, updateBuyer } from '../../../account/buyers/buyers.js';
import { rotateSecret as rotate } from '../../../account/buyers/rotateSecret.js';
import { overridingCampaigns } from '../../../account/links/deliveryOverrides.js';
import { withoutSecrets } from '../../../account/redaction.js';
import type { BuyerDoc } from '../../../account/store/accountDocs.js';
import type { DestinationDoc } from '../../../deliveries/store/destinationDoc.js';
import { countWaiting } from '../../../deliveries/store/waiting.js';
import { AppError } from '../../../lib/errors.js';
import { stillAhead } from '../../actions/views.js';
import { invalidInput } from '../../actions/readInput.js';
import { ACCESS, ADDRESS } from '../../actions/exits.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { nameOf, readCampaigns } from './campaigns.js';
import { orNull, Named, Instant, NoInput } from '../schemas/shared.js';
import { OverlapHours } from '../../../account/overlapSchema.js';

const SecretKind = z.enum(['webhook', 'signing']);

const BuyerEndpoint = z.object({
  method: z.enum(['WEBHOOK', 'EMAIL', 'GOOGLE_SHEET', 'STORE']),
  /** For WEBHOOK; the values in its query are hidden. */
  url: z.string().nullable(),
  /** Names as they are, values hidden. */
  headers: z.array(z.string()),
  format: orNull(z.string()),
  timeout_ms: z.number().int(),
  honours_idempotency_key: z.boolean(),
  max_per_second: orNull(z.number()),
  /** For EMAIL. */
  recipients: z.array(z.string()),
  /** Campaigns that differ from these settings. */
  overridden_in: z.array(Named),
  /** `update_endpoint` accepts it: only webhooks can be changed here. */
  can_update: z.boolean(),
  health: z.object({
    state: z.enum(['well', 'failing', 'paused']),
    failures: z.number().int(),
    /** Nothing is sent before then. */
    open_until: orNull(Instant),
    is_held: z.boolean(),
    waiting: z.number().int(),
    unanswered: z.number().int(),
  }),
  secrets: z.object({
    webhook_previous_until: Instant.nullable(),
    signing_previous_until: Instant.nullable(),
  }),
});

export const getEndpoint = definePartnerCall({
  name: 'get_endpoint',
  effect: 'read',
  input: NoInput,
  output: BuyerEndpoint,
  run: (_input, context) => endpointView(context),
});

export const updateEndpoint = definePartnerCall({
  name: 'update_endpoint',
  effect: 'write',
  letsOut: [ADDRESS],
  input: z.strictObject({
    /** As get_endpoint shows it, the address stays as it is stored; another one is given whole. */
    url: z.string().trim().min(1).max(2_000),
    /** Absent: as they are. A value of [hidden] keeps the stored one, at the same origin. */
    headers: z.record(z.string().min(1).max(100), z.string().max(2_000)).optional(),
  }),
  output: BuyerEndpoint,
  async run({ url, headers }, context) {
    const changesOf = (buyer: BuyerDoc) => {
      if (!canUpdate(buyer))
        throw new AppError('conflict', 'Leads do not reach you by a webhook; ask your contact.');
      const delivery = {
        method: 'WEBHOOK' as const,
        // The address as it is shown stands for the stored one, whose query is not shown.
        url: url === shownUrl(buyer) ? undefined : url,
        headers,
      };
      return { delivery };
    };
    await updateBuyer(context, context.party_id, changesOf).catch(namedByPath);
    return endpointView(context);
  },
});

/** The address without its secrets; null where leads do not go to one. */
const shownUrl = ({ delivery }: BuyerDoc): string | null =>
  delivery.method === 'WEBHOOK' ? (withoutSecrets(delivery.url) as string) : null;

/** A buyer without an endpoint may set one itself. */
const canUpdate = ({ delivery, delivery_unset }: BuyerDoc): boolean =>
  delivery.method === 'WEBHOOK' || delivery_unset === true;

function namedByPath(error: unknown): never {
  const faults = error instanceof AppError ? error.extras.field_errors : undefined;
  if (!faults) throw error;
  throw invalidInput(
    faults.map(({ field, code, message }) => ({
      path: withoutPrefix(field),
      code,
      message: withoutPrefix(message),
    })),
  );
}

const withoutPrefix = (text: string): string => text.replace(/^delivery\./, '');

/** Counting stops here: more precision is not needed. */
const COUNTED_MAX = 10_000;

async function endpointView(context: PartnerContext) {
  const { collections, party_id, clock } = context;
  const [buyer, destination, overrides, waiting] = await Promise.all([
    findBuyer(context, party_id),
    collections.destinations.findOne({ _id: party_id }),
    overridingCampaigns(collections, party_id),
    countWaiting(collections.deliveries, party_id, COUNTED_MAX),
  ]);
  const ids = overrides.map(({ campaign_id }) => campaign_id);
  const campaigns = await readCampaigns(ids, context);
  const { delivery } = buyer;
  return {
    method: delivery.method,
    url: shownUrl(buyer),
    headers: delivery.method === 'WEBHOOK' ? Object.keys(delivery.headers) : [],
    format: 'format' in delivery ? delivery.format : null,
    timeout_ms: delivery.timeout_ms,
    honours_idempotency_key: delivery.honours_idempotency_key,
    max_per_second: delivery.max_per_second,
    recipients: delivery.method === 'EMAIL' ? delivery.to : [],
    overridden_in: ids.map((id) => nameOf(campaigns, id)),
    can_update: canUpdate(buyer),
    health: {
      ...healthOf(destination, clock.now()),
      waiting: waiting.parked,
      unanswered: waiting.unknown,
    },
    secrets: {
      webhook_previous_until: stillAhead(buyer.previous_webhook?.until, clock),
      signing_previous_until: stillAhead(buyer.previous_signing_until, clock),
    },
  };
}

function healthOf(destination: DestinationDoc | null, now: Date) {
  const { failures = 0, open_until, held = false, paused_at } = destination ?? {};
  const isResting = open_until != null && open_until > now;
  const state =
    paused_at || isResting
      ? ('paused' as const)
      : failures > 0
        ? ('failing' as const)
        : ('well' as const);
  return { state, failures, open_until: isResting ? open_until : null, is_held: held };
}

export const rotateSecret = definePartnerCall({
  name: 'rotate_secret',
  effect: 'write',
  letsOut: [ACCESS],
  guards: 'key_changed',
  input: z.strictObject({
    secret: SecretKind,
    overlap_hours: OverlapHours,
  }),
  output: z.object({
    kind: SecretKind,
    /** Shown this once. */
    value: z.string(),
    previous_until: orNull(Instant),
  }),
  async run({ secret: kind, overlap_hours: overlapHours }, context) {
    const made = await rotate(context, context.party_id, { kind, overlapHours });
    return { kind, value: made.secret, previous_until: made.previousUntil };
  },
});
