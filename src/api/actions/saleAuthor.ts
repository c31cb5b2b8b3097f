import type { ChangeAuthor } from '../../leads/rules/saleChange.js';
import type { Caller } from '../calls/caller.js';

/** The caller as the author of a change of a sale. */
export const authorOf = ({ actor: { id: actorId, name } }: Caller): ChangeAuthor => ({
  kind: 'user',
  id: actorId,
  name,
});
