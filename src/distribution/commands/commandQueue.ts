/** Operators' commands on the queue of a buyer: each is carried out once, however often it is repeated. */
import type { QueueAnswer } from '../../../workflows/queueCommands.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';
import type { CommandStore } from '../store/commands.js';
import type { QueueOrder } from '../../../workflows/messages.js';
import { commandLead } from './oneLead.js';
import { refuse, type ResolveDeps } from './resolve.js';
import { commandWholeQueue, type WholeQueueDeps } from './wholeQueue.js';

export interface CommandDeps extends ResolveDeps, WholeQueueDeps {
  collections: Pick<AccountCollections, 'campaigns' | 'buyers'>;
  commands: CommandStore;
}

/** Carries a command out, or continues where a call that died stopped. A repetition gets the first answer. */
export async function commandQueue(order: QueueOrder, deps: CommandDeps): Promise<QueueAnswer> {
  const command = await stored(order, deps);
  if (!command) return refuse('not_found', `There is no buyer ${order.buyer_id}.`);
  if (command.answer) return command.answer;
  const answer =
    command.lead_id === null
      ? await commandWholeQueue(command, deps)
      : await commandLead(command, command.lead_id, deps);
  const { _id: id, action, buyer_id, lead_id, by } = command;
  deps.log.info({ command: { id, action, buyer_id, lead_id, by }, answer }, 'command done');
  return deps.commands.finish(id, answer);
}

/** The command with its author and note: the workflow carries neither. */
async function stored(order: QueueOrder, deps: CommandDeps): Promise<CommandDoc | null> {
  const { id: _id, buyer_id, lead_id, action, result } = order;
  const buyer = await deps.collections.buyers.findOne(
    { _id: buyer_id },
    { projection: { org_id: 1 } },
  );
  if (!buyer) return null;
  const { org_id } = buyer;
  const at = deps.clock.now();
  return deps.commands.begin({ _id, org_id, buyer_id, lead_id, action, result, at, done: 0 });
}
