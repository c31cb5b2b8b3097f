import type { ReactNode } from 'react';
import { useSession } from '../lib/session.js';
import { Notice, Written } from '../ui/index.js';

/** Says to an admin of the organization whose portal it sees, and leads back; nothing for everybody else. */
export function Visit(): ReactNode {
  const { is_visit, membership, party } = useSession().me;
  if (!is_visit || !party) return null;
  return (
    <Notice
      tone="info"
      title={
        <>
          You see what a viewer in the team of <Written>{party.name}</Written> sees
        </>
      }
      action={
        <a
          className="button secondary"
          href={`/org/${membership.id}/${membership.side}s/${party.id}/portal`}
        >
          Back to the console
        </a>
      }
    >
      <p>You can change nothing here. What you read is in the audit log.</p>
    </Notice>
  );
}
