/** The operators' commands on a buyer's queue, for every interface of operators: the CLI, an API. */
import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { Clock } from '../../lib/clock.js';
import type { QueueCommand, QueueAnswer } from '../../../workflows/queueCommands.js';
import { isUnanswered } from '../../platform/temporal/temporalErrors.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';
import type { CommandStore } from '../store/commands.js';
import type { LeadStarter } from '../starters.js';
import { CommandRefused, CommandUnanswered } from './errors.js';
import { findQueue, type QueueCollections, type Target } from './target.js';

interface Asked {
  /** Author and reason: each at most 200 characters. */
  by?: string;
  note?: string;
  /** Identifies the command: a repetition with the same id gets its answer. A new id when absent. */
  id?: string;
  /** Restricts the command to this organization. */
  org_id?: string;
}
export type QueueInput = Target & Asked;
export interface ResolveInput extends Asked {
  lead_id: string;
  buyer_id: string;
  result: 'accepted' | 'rejected';
}

/** The result of a command; refusals are thrown. */
export type CommandDone = Exclude<QueueAnswer, { refused: unknown }> & {
  id: string;
  buyer_id: string;
};

export interface QueueCommandDeps {
  collections: QueueCollections;
  commands: CommandStore;
  starter: Pick<LeadStarter, 'command'>;
  clock: Clock;
  /** How long a call waits for an answer, in milliseconds. */
  waitMs: number;
}

const TEXT_MAX = 200;
const ID_MAX = 100;

/**
 * Each waits until the command is done.
 * @throws {CommandRefused} with a code and a sentence: it was not carried out, and will not be
 * @throws {CommandUnanswered} when it takes longer than the call waits: it is carried out all the same
 */
export function createQueueCommands(deps: QueueCommandDeps) {
  return {
    /** Waiting leads are sent at once; a hold and a cooldown end. */
    retry: (input: QueueInput) => send('retry', input, deps),
    /** Waiting leads are not sent until a retry; their age limits continue. */
    hold: (input: QueueInput) => send('hold', input, deps),
    /** Waiting leads end without a sale to this buyer. */
    drop: (input: QueueInput) => send('drop', input, deps),
    /** Settles a request that the buyer never answered. */
    resolve: (input: ResolveInput) => send('resolve', input, deps),
  };
}

async function send(
  action: QueueCommand,
  input: (QueueInput | ResolveInput) & { result?: 'accepted' | 'rejected' },
  deps: QueueCommandDeps,
): Promise<CommandDone> {
  const { by, note, result, org_id } = input;
  checkText('by', by, TEXT_MAX);
  checkText('note', note, TEXT_MAX);
  checkText('id', input.id, ID_MAX);
  const { buyer_id, lead_id, org_id: orgId } = await findQueue(input, org_id, deps.collections);
  const id = input.id ?? randomUUID();
  const command: CommandDoc = {
    _id: id,
    org_id: orgId,
    buyer_id,
    lead_id,
    action,
    result,
    by,
    note,
    at: deps.clock.now(),
    done: 0,
  };
  const stored = await deps.commands.begin(command);
  if (!isSame(stored, command))
    throw new CommandRefused(
      'id_reused',
      `id ${id} belongs to another command. Leave it out, or choose a new one.`,
    );
  const answer = stored.answer ?? (await ask(command, deps));
  if ('refused' in answer) throw new CommandRefused(answer.refused, answer.message);
  return { id, buyer_id, ...answer };
}

async function ask(
  command: CommandDoc,
  { starter, waitMs }: QueueCommandDeps,
): Promise<QueueAnswer> {
  const { _id: id, buyer_id, org_id, action, lead_id, result } = command;
  try {
    const order = { id, action, lead_id, result };
    return await starter.command(buyer_id, org_id, order, waitMs);
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError)
      throw new CommandRefused('invalid', error.cause?.message ?? error.message);
    if (isUnanswered(error)) throw new CommandUnanswered(id, waitMs, error);
    throw error;
  }
}

const isSame = (a: CommandDoc, b: CommandDoc): boolean =>
  a.action === b.action &&
  a.buyer_id === b.buyer_id &&
  a.lead_id === b.lead_id &&
  a.result === b.result;

function checkText(name: string, text: string | undefined, longest: number): void {
  if (text === undefined || (text.trim() !== '' && text.length <= longest)) return;
  throw new CommandRefused(
    'invalid',
    `${name} must be a text of 1 to ${longest} characters, or absent.`,
  );
}
