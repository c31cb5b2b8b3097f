/** The people of a partner's portal. Its own admins manage them too. */
import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite } from '../../lib/useActions.js';
import { HandOver, type Handed } from '../../people/handOver.js';
import { PARTNER_ROLES, partnerRole, People } from '../../people/people.js';
import { Button, Confirmed, Loaded, useToast } from '../../ui/index.js';
import type { PartyInput, Side } from './types.js';

interface PortalPeopleProps {
  side: Side;
  id: string;
  isOpen: boolean;
}

export function PortalPeople({ side, id, isOpen }: PortalPeopleProps): ReactNode {
  const party: PartyInput = side === 'buyer' ? { buyer_id: id } : { supplier_id: id };
  const members = useCall('get_portal_members', party);
  const remove = useWrite('remove_portal_member');
  const invite = useInvite({ side, id, isOpen });
  const may = useCan('add_portal_member');
  const mayReset = useCan('reset_member_password');
  const [link, setLink] = useState<Handed | null>(null);
  return (
    <>
      <Loaded of={members} shape="table">
        {(list) => (
          <People
            caption="People of the portal"
            roles={PARTNER_ROLES}
            people={list.map((member) => ({ ...member, isInvited: member.state === 'invited' }))}
            invite={may ? invite : undefined}
            remove={may ? remove : undefined}
            more={
              may || mayReset
                ? ({ id: memberId, email, role, isInvited }) => {
                    if (!isInvited)
                      return (
                        mayReset && (
                          <ResetPassword memberId={memberId} email={email} onLink={setLink} />
                        )
                      );
                    return (
                      may && <Resend invite={invite} email={email} role={role} onLink={setLink} />
                    );
                  }
                : undefined
            }
          />
        )}
      </Loaded>
      <HandOver of={link} onClose={() => setLink(null)} />
    </>
  );
}

/** Invites a person; into a closed portal by the call that opens it. */
function useInvite({ side, id, isOpen }: PortalPeopleProps) {
  const add = useWrite('add_portal_member');
  const buyer = useWrite('enable_buyer_portal');
  const supplier = useWrite('enable_supplier_portal');
  const opening = side === 'buyer' ? buyer : supplier;
  const { isRunning, error, reset } = isOpen ? add : opening;
  return {
    isRunning,
    error,
    reset,
    run: ({ email, role }: { email: string; role: string }) => {
      const person = { email, role: partnerRole(role) };
      if (isOpen) {
        return add.run(
          side === 'buyer' ? { buyer_id: id, ...person } : { supplier_id: id, ...person },
        );
      }
      return side === 'buyer'
        ? buyer.run({ buyer_id: id, ...person })
        : supplier.run({ supplier_id: id, ...person });
    },
  };
}

interface ResendProps {
  invite: ReturnType<typeof useInvite>;
  email: string;
  role: string;
  onLink(link: Handed): void;
}

/** Invites again: the new link replaces the earlier one. */
function Resend({ invite, email, role, onLink }: ResendProps): ReactNode {
  const toast = useToast();
  const resend = async (): Promise<void> => {
    const made = await invite.run({ email, role });
    if (!made) return;
    if (made.invite_url === null) toast(`The invitation to ${email} was sent again.`);
    else onLink({ kind: 'again', email, url: made.invite_url });
  };
  return (
    <Button
      kind="quiet"
      isBusy={invite.isRunning}
      aria-label={`Resend the invitation to ${email}`}
      onClick={() => void resend()}
    >
      Resend
    </Button>
  );
}

interface ResetPasswordProps extends Pick<ResendProps, 'email' | 'onLink'> {
  memberId: string;
}

function ResetPassword({ memberId, email, onLink }: ResetPasswordProps): ReactNode {
  const reset = useWrite('reset_member_password');
  const run = async () => {
    const made = await reset.run({ member_id: memberId });
    if (made && made.reset_url !== null) onLink({ kind: 'password', email, url: made.reset_url });
    return made;
  };
  return (
    <Confirmed
      button="Reset password"
      label={`Reset password of ${email}`}
      kind="quiet"
      title="Reset the password?"
      act="Reset password"
      write={reset}
      run={run}
      describe={({ reset_url }) =>
        reset_url === null
          ? `A link for a new password was mailed to ${email}.`
          : 'The link was made. Hand it over.'
      }
    >
      <p>
        <bdi>{email}</bdi> gets a link that sets a new password and ends every session. It works
        once, within 30 minutes. Where no mail is set up, you hand it over.
      </p>
    </Confirmed>
  );
}
