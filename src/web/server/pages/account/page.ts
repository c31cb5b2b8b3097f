/** The account page as a whole. */
import type { Call, Reply } from '../../../../api/http/endpoint.js';
import { getOwn } from '../../../../lib/getOwn.js';
import type { People } from '../../../../people/people.js';
import type { SignedIn } from '../../../../people/types.js';
import { paragraph, showPage } from '../render/page.js';
import type { Markup } from '../../../render/template.js';
import {
  nameSection,
  passwordSection,
  section,
  twoStepSection,
  type Refused,
  type SectionInput,
} from './sections.js';
import { sessionsSection } from './sessions.js';
import { signInSections } from './signIns.js';

const NOTICES: Record<string, string> = {
  name: 'Your name was saved.',
  password: 'Your password was changed. Your other sessions have ended.',
  'two-step-off': 'Two-step sign-in is off.',
  session: 'The session has ended.',
  sessions: 'All other sessions have ended.',
  disconnected: "The organization's sign-in was disconnected, and its sessions have ended.",
  linked: 'You can now sign in with your organization.',
};

/**
 * @param refused a form of it whose request was refused
 */
export async function showAccount(
  call: Call,
  people: People,
  signedIn: SignedIn,
  refused?: Refused,
): Promise<Reply> {
  const { person } = signedIn;
  const view = await people.account.view(signedIn);
  const input: SectionInput = { personId: person.id, name: view.name, refused };
  const own =
    signedIn.via === 'oidc'
      ? [oidcSection()]
      : [
          passwordSection(input),
          twoStepSection({
            ...input,
            hasTotp: view.has_totp,
            codesLeft: view.backup_codes_left,
            isFresh: signedIn.is_fresh,
          }),
          ...(await signInSections(people, signedIn)),
          sessionsSection(person.id, await people.sessions.list(signedIn)),
        ];
  return showPage(call, {
    title: 'Your account',
    isWide: true,
    notice: refused ? undefined : getOwn(NOTICES, call.query().get('done') ?? ''),
    faults: refused?.faults,
    content: [nameSection(input), ...own],
  });
}

const oidcSection = (): Markup =>
  section({
    id: 'organization',
    title: 'Signed in with your organization',
    content: paragraph({
      text: 'To see and change your password, two-step sign-in and sessions, sign in with your password.',
    }),
  });
