/** Deliveries that wait for buyers, and the commands on them. */
import { z } from 'zod';
import { AppError } from '../../../lib/errors.js';
import { CommandRefused, CommandUnanswered } from '../../../distribution/commands/errors.js';
import { TARGET_REQUIRED } from '../../../distribution/commands/target.js';
import type { CommandDone } from '../../../distribution/commands/queueCommands.js';
import { defineAction, type Action, type ActionContext } from '../action.js';
import type { ActionName } from '../names.js';
import { commandDeliveries, isOfRows } from '../bulkDeliveries.js';
import { LEADS } from '../exits.js';
import { invalidField } from '../readInput.js';
import {
  continueFrom,
  bulkMax,
  BULK_MAX,
  DeliveryReport,
  dryRunOfDeliveries,
  continuesFrom,
} from '../schemas/bulk.js';
import { id, orNull, recordId } from '../schemas/common.js';

const note = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The reason, recorded on the trail of the lead');
/** Which deliveries, one by one. */
const rows = {
  delivery_ids: z
    .array(z.string().min(1).max(120))
    .min(1)
    .max(BULK_MAX)
    .optional()
    .describe(`These deliveries, 1 to ${BULK_MAX}`),
  campaign_id: id('campaign')
    .optional()
    .describe('Waiting deliveries of this campaign, one by one'),
  supplier_id: id('supplier')
    .optional()
    .describe('Waiting deliveries of this supplier, one by one'),
  dry_run: dryRunOfDeliveries,
  max: bulkMax,
  continue_from: continueFrom,
};
const Target = z.strictObject({
  lead_id: id('lead').optional(),
  buyer_id: id('buyer')
    .optional()
    .describe(
      'Alone: all deliveries that wait for this buyer, as one. With others: only its deliveries',
    ),
  ...rows,
  note,
});
const report = z
  .array(DeliveryReport)
  .optional()
  .describe(
    'What happened to each delivery; absent: the command was for one lead or a whole queue',
  );
const Done = z.object({
  buyer_id: orNull(z.string()).describe('Id of the buyer; null: the deliveries have several'),
  rows: z.number().int().describe('Deliveries that the command changed, or would change'),
  busy: z.number().int().describe('Skipped: a worker is processing their leads'),
  unknown: z.number().int().describe('Skipped: it is unknown whether the buyer has them'),
  lead: orNull(
    z.object({
      id: recordId('lead'),
      status: z.string().meta({ description: 'The state of the delivery', examples: ['PENDING'] }),
      buyer_id: z.string().nullable().describe('The buyer that has the lead; null: no buyer yet'),
    }),
  ).describe('The status of the lead, for a command about one lead'),
  refused: z
    .number()
    .int()
    .optional()
    .describe('Deliveries of the report that were not changed, for any reason but already_done'),
  report,
  continue_from: continuesFrom.optional(),
});
const EXAMPLE_LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';

type Order = 'retry' | 'hold' | 'drop';

const forQueue = <N extends ActionName>(
  order: Order,
  name: N,
  texts: Pick<Action, 'summary' | 'description'> &
    Partial<Pick<Action, 'effect' | 'reachesOut' | 'letsOut'>>,
) =>
  defineAction({
    ...texts,
    name,
    cli: ['deliveries', order],
    idempotent: true,
    permission: 'leads:write',
    guards: 'operator_command',
    input: Target,
    example: { buyer_id: EXAMPLE_BUYER, note: 'the buyer recovers' },
    output: Done,
    run({ dry_run: isDry, ...input }, context) {
      if (isOfRows(input, isDry)) {
        const many = { action: order, note: input.note, dry_run: isDry, ...askedBy(context) };
        return commandDeliveries(many, input, context);
      }
      const { lead_id, buyer_id, note: reason } = input;
      if (lead_id === undefined && buyer_id === undefined) throw noTarget();
      const target = { lead_id, buyer_id, note: reason, ...askedBy(context) };
      return done(context.queue[order](target), lead_id ?? 'all');
    },
  });

const noTarget = (): AppError => invalidField('lead_id', 'required', TARGET_REQUIRED);

export const retryDeliveries = forQueue('retry', 'retry_deliveries', {
  summary: 'Send waiting deliveries of a buyer now',
  description:
    'Sends one lead, all that wait for a buyer, or the deliveries named, now. Ends a hold and a cooldown of the ' +
    'buyer. Deliveries handled one by one are reported one by one.',
  reachesOut: true,
  letsOut: [LEADS],
});

export const holdDeliveries = forQueue('hold', 'hold_deliveries', {
  summary: 'Hold waiting deliveries of a buyer',
  description:
    'Sends nothing, for one lead, for all that wait for a buyer, or for the deliveries named, until a retry. Their ' +
    'time limit keeps running. Deliveries handled one by one are reported one by one.',
});

export const dropDeliveries = forQueue('drop', 'drop_deliveries', {
  summary: 'Drop waiting deliveries of a buyer',
  description:
    "Ends one lead's delivery, all that wait for a buyer, or those named, without a sale. This cannot be undone. " +
    'Deliveries handled one by one are reported one by one.',
  effect: 'destroy',
});

export const resolveDelivery = defineAction({
  name: 'resolve_delivery',
  cli: ['deliveries', 'resolve'],
  summary: 'Resolve a delivery that the buyer never answered',
  description:
    "For a lead that was sent and never answered: record the buyer's answer. accepted records the sale; rejected " +
    'releases its place in the caps, and the lead goes to the next buyer.',
  effect: 'destroy',
  reachesOut: true,
  idempotent: true,
  permission: 'leads:write',
  guards: 'operator_command',
  letsOut: [LEADS],
  input: z.strictObject({
    lead_id: id('lead'),
    buyer_id: id('buyer'),
    result: z.enum(['accepted', 'rejected']),
    note,
  }),
  example: { lead_id: EXAMPLE_LEAD, buyer_id: EXAMPLE_BUYER, result: 'accepted' },
  output: Done,
  run: (input, context) =>
    done(context.queue.resolve({ ...input, ...askedBy(context) }), input.lead_id),
});

export const resolveDeliveries = defineAction({
  name: 'resolve_deliveries',
  cli: ['deliveries', 'resolve-many'],
  summary: 'Resolve many deliveries that buyers never answered',
  description:
    'Records the same answer for many unanswered deliveries: those named, or the oldest of a buyer, campaign or ' +
    'supplier. Each is handled as by resolve_delivery, and reported.',
  effect: 'destroy',
  reachesOut: true,
  idempotent: true,
  permission: 'leads:write',
  guards: 'operator_command',
  letsOut: [LEADS],
  input: z.strictObject({
    buyer_id: id('buyer').optional().describe('Unanswered deliveries to this buyer'),
    ...rows,
    result: z.enum(['accepted', 'rejected']),
    note,
  }),
  example: { buyer_id: EXAMPLE_BUYER, result: 'rejected', dry_run: true },
  output: Done,
  run: ({ dry_run: isDry, result, note: reason, ...input }, context) =>
    commandDeliveries(
      { action: 'resolve', result, note: reason, dry_run: isDry, ...askedBy(context) },
      input,
      context,
    ),
});

const askedBy = ({ caller }: ActionContext) => ({ org_id: caller.org_id, by: caller.actor.name });

/** A refused command was not executed; one that is not answered in time continues. */
async function done(command: Promise<CommandDone>, which: string) {
  try {
    return await command;
  } catch (error) {
    if (error instanceof CommandRefused) {
      const isAbsent = error.code === 'not_found';
      throw new AppError(isAbsent ? 'not_found' : 'action_refused', error.message);
    }
    if (!(error instanceof CommandUnanswered)) throw error;
    const message = `The command takes longer and continues in the background (${which}). Check the waiting deliveries later.`;
    throw new AppError('outcome_unknown', message, { retry_after: 10, cause: error });
  }
}
