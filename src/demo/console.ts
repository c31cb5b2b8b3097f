/** The person of the demo account, who is its admin, and the link that signs that person in. */
import { randomBytes } from 'node:crypto';
import { createConsoleUrlAsOperator } from '../api/operator/signInLinks.js';
import type { OperatorContext } from '../api/operator/record.js';
import { newId } from '../people/security/tokens.js';
import { createPasswords } from '../people/security/passwords.js';
import type { PersonDoc } from '../people/store/personDocs.js';
import { retryTransaction } from '../platform/mongo/transaction.js';
import { isDuplicateKey } from '../platform/mongo/databaseErrors.js';
import { DEMO_ORG_ID } from './names.js';

/** Constant, so that the person is found again; nobody reads mail at `.example` (RFC 2606). */
const PERSON = {
  _id: 'per_de3000000000000000000001',
  email: 'admin@demo.example',
  name: 'Demo admin',
};

/** How the person signs in where a link is not at hand. */
export interface DemoSignIn {
  email: string;
  password: string;
}

type People = Pick<OperatorContext, 'collections' | 'clock'>;

/**
 * Makes the person once. Whoever removes the person from the account, or chooses another password, keeps it so.
 * @param known the password of the last start, which the database cannot tell
 * @returns how to sign in; null: the password is not known here
 */
export async function ensureDemoPerson(
  { collections, clock }: People,
  known: string | null,
): Promise<DemoSignIn | null> {
  const { people, memberships } = collections;
  const passwords = createPasswords();
  const found = await people.findOne({ _id: PERSON._id });
  if (found) {
    const isRight = known !== null && (await passwords.verify(found.password_hash, known));
    return isRight ? { email: found.email, password: known } : null;
  }
  const password = randomBytes(12).toString('base64url');
  const created_at = clock.now();
  const person: PersonDoc = {
    ...PERSON,
    created_at,
    epoch: 1,
    password_hash: await passwords.hash(password),
  };
  const membership = {
    _id: newId('mem'),
    org_id: DEMO_ORG_ID,
    person_id: PERSON._id,
    scope: { kind: 'organization' } as const,
    scope_key: 'organization',
    role: 'admin' as const,
    created_at,
  };
  try {
    await retryTransaction(
      people,
      async (session) => {
        await people.insertOne(person, { session });
        await memberships.insertOne(membership, { session });
      },
      'The demo account is changed at the same time. Start again.',
    );
  } catch (error) {
    // Another start made the person at the same moment, or the address is taken by somebody else.
    if (isDuplicateKey(error)) return null;
    throw error;
  }
  return { email: PERSON.email, password };
}

/**
 * A link that opens the console of the demo account signed in, once, within half an hour.
 * @param site where the pages are
 * @returns null when the person of the demo is no member of it any more
 */
export const demoConsoleUrl = (context: OperatorContext, site: string): Promise<string | null> =>
  createConsoleUrlAsOperator(context, { org_id: DEMO_ORG_ID, person_id: PERSON._id }, site);
