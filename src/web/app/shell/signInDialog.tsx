/** Shown when a session has ended, is not fresh enough or is another person's, over whatever was being typed. */
import { useSyncExternalStore, type ReactNode } from 'react';
import { useSession } from '../lib/session.js';
import { openQuestion } from '../lib/signInAgain.js';
import { Button, Dialog } from '../ui/index.js';

const TEXTS = {
  session: {
    title: 'Sign in again',
    text: 'Your session has ended. Sign in in a new tab, then return here and continue: what you typed is still here.',
    link: 'Sign in in a new tab',
    href: '/sign-in?next=/account',
  },
  confirmation: {
    title: 'Confirm your identity',
    text: 'This change requires a recent sign-in. Confirm your identity in a new tab, then return here and continue.',
    link: 'Confirm in a new tab',
    href: '/confirm?next=/account',
  },
  membership: {
    title: 'This page belongs to another account',
    text: 'Another person is signed in now, or your access has ended. Nothing was changed. Sign in with the previous account in a new tab, then return here and continue: what you typed is still here.',
    link: 'Sign in in a new tab',
    href: '/sign-in?next=/account&again=1',
  },
} as const;

export function SignInDialog(): ReactNode {
  const question = useSyncExternalStore(openQuestion.subscribe, openQuestion.get);
  const { title, text, link, href } = TEXTS[question?.lack ?? 'session'];
  const { email } = useSession().me.person;
  const cancel = (): void => question?.answer(false);
  return (
    <Dialog title={title} isOpen={question !== null} onClose={cancel}>
      <p>{text}</p>
      {question?.lack === 'membership' && (
        <p>
          The page belongs to <bdi>{email}</bdi>.
        </p>
      )}
      <div className="actions">
        <a className="button primary" href={href} target="_blank" rel="noopener">
          {link}
        </a>
        <Button onClick={() => question?.answer(true)}>Continue</Button>
        <Button kind="quiet" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
