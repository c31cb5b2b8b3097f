/** Sign-in links made by operators of the installation: they need no mail server and no signed-in person. */
import {
  createConsoleToken,
  createRecoveryToken,
  createSetupToken,
} from '../../people/links/hostLinks.js';
import { linkUrl } from '../../people/links/links.js';
import { AppError } from '../../lib/errors.js';
import { findByEmail } from '../../people/store/findByEmail.js';
import { recordedAsOperator, type OperatorContext } from './record.js';

/** Maximum organizations of one person that are notified. */
const TOLD_MAX = 200;

/** The link that makes the first admin of an organization; null when it has one. */
export async function createSetupUrl(
  { collections, clock }: Pick<OperatorContext, 'collections' | 'clock'>,
  orgId: string,
  site: string,
): Promise<string | null> {
  const token = await createSetupToken(collections, orgId, clock.now());
  return token && linkUrl(site, 'setup', token);
}

/**
 * The same, recorded.
 * @throws {AppError} `conflict` when the organization has an admin
 */
export function createAdminUrlAsOperator(
  context: OperatorContext,
  orgId: string,
  site: string,
): Promise<string> {
  const recorded = { name: 'create_admin_link', orgId, input: {} } as const;
  return recordedAsOperator(context, recorded, async () => {
    const url = await createSetupUrl(context, orgId, site);
    if (url !== null) return url;
    throw new AppError(
      'conflict',
      'The organization has an admin, who can invite others. For an admin who cannot sign in: leadwire operator ' +
        'sign-in recovery-link --email ADDRESS.',
    );
  });
}

/**
 * The link that opens the console signed in as a member, recorded.
 * @returns null when the person is no member
 */
export async function createConsoleUrlAsOperator(
  context: OperatorContext,
  member: { org_id: string; person_id: string },
  site: string,
): Promise<string | null> {
  const { collections, clock } = context;
  const { org_id: orgId, person_id } = member;
  const recorded = { name: 'create_console_link', orgId, input: { person_id } } as const;
  const token = await recordedAsOperator(context, recorded, () =>
    createConsoleToken(collections, member, clock.now()),
  );
  return token && linkUrl(site, 'enter', token);
}

/**
 * The link by which a person sets a new password; each organization of the person can see that it was made.
 * @throws {AppError} `not_found` for an address without an account
 */
export async function createRecoveryUrlAsOperator(
  context: OperatorContext,
  { email, site }: { email: string; site: string },
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
  return linkUrl(site, 'recover', token);
}
