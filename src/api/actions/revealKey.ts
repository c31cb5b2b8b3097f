/** Shows the key of a supplier. */
import type { SupplierDoc } from '../../account/store/accountDocs.js';
import { AppError } from '../../lib/errors.js';
import { holds } from './access.js';
import type { Action, ActionContext } from './action.js';
import { audited } from './audit.js';

const NEEDED = 'suppliers:write';

/**
 * The key that the supplier sends its leads with. The record notes that it was shown, and to which key.
 * @throws {AppError} `forbidden` with the permission it needs
 */
export async function revealSupplierKey(
  action: Action,
  input: Record<string, unknown>,
  supplier: SupplierDoc,
  context: ActionContext,
): Promise<string> {
  if (!holds(context.caller.permissions, NEEDED)) {
    const message = `reveal_key needs the permission ${NEEDED}, which this key does not have.`;
    throw new AppError('forbidden', message, { required: NEEDED });
  }
  return audited(action, input, context, () =>
    Promise.resolve(context.keyring.open(supplier.api_key)),
  );
}
