/** Sign-in links made by operators of the installation: they need no mail server and no signed-in person. */
import { createRecoveryToken, createSetupToken } from '../../people/links/hostLinks.js';
import { AppError } from '../../lib/errors.js';
import { findByEmail } from '../../people/store/findByEmail.js';
import { recordedAsOperator, type OperatorContext } from './record.js';

/** Maximum organizations of one person that are notified. */
const TOLD_MAX = 200;

/**
 * The token that makes the first admin of an organization.
 * @throws {AppError} `conflict` when it has one
 */
export function createAdminTokenAsOperator(
  context: OperatorContext,
  orgId: string,
): Promise<string> {
  const { collections, clock } = context;
  const recorded = { name: 'create_admin_link', orgId, input: {} } as const;
  return recordedAsOperator(context, recorded, async () => {
    const token = await createSetupToken(collections, orgId, clock.now());
    if (token !== null) return token;
    throw new AppError(
      'conflict',
      'The organization has an admin, who can invite others. For an admin who cannot sign in: leadwire operator ' +
        'sign-in recovery-link --email ADDRESS.',
    );
  });
}

/**
 * The token by which a person sets a new password; each organization of the person can see that it was made.
 * @throws {AppError} `not_found` for an address without an account
 */
export async function createRecoveryTokenAsOperator(
  context: OperatorContext,
  email: string,
  options: { dropsSecondFactor: boolean; givesToOwner: boolean },
): Promise<string> {
  const { collections, clock } = context;
  const token = await createRecoveryToken(collections, email, clock.now(), options);
  const person = await findByEmail(collections.people, email);
  const memberships = await collections.memberships
    .find({ person_id: person?._id ?? '' }, { projection: { org_id: 1 } })
    .limit(TOLD_MAX)
    .toArray();
  const orgIds = new Set(memberships.map(({ org_id }) => org_id));
  for (const orgId of orgIds) {
    const input = { person_id: person?._id, ...options };
    const recorded = { name: 'create_recovery_link', orgId, input } as const;
    await recordedAsOperator(context, recorded, () => Promise.resolve());
  }
  return token;
}
