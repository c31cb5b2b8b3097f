/** The portal of one buyer or supplier: whether it is open, its people, and what they see. */
import type { ReactNode } from 'react';
import { useCan, useSession } from '../../lib/session.js';
import { useCall, useWrite } from '../../lib/useActions.js';
import {
  Button,
  Confirmed,
  Copied,
  ErrorState,
  Loaded,
  Notice,
  Section,
  useToast,
} from '../../ui/index.js';
import { PortalForm } from './portalForm.js';
import { PortalPeople } from './portalPeople.js';
import type { PartyInput, Portal, Side } from './types.js';

interface PartyPortalProps {
  side: Side;
  id: string;
}

export function PartyPortal({ side, id }: PartyPortalProps): ReactNode {
  const place: PartyInput = side === 'buyer' ? { buyer_id: id } : { supplier_id: id };
  const portal = useCall('get_portal_settings', place);
  const maySeePeople = useCan('get_portal_members');
  return (
    <Loaded of={portal} shape="cards">
      {(settings) => (
        <>
          <State portal={settings} side={side} id={id} />
          {maySeePeople && (
            <Section title="People">
              <PortalPeople side={side} id={id} isOpen={settings.is_enabled} />
            </Section>
          )}
          <Section title="Settings">
            <PortalForm portal={settings} place={place} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

interface StateProps {
  portal: Portal;
  side: Side;
  id: string;
}

function State({ portal, side, id }: StateProps): ReactNode {
  const buyer = useWrite('enable_buyer_portal');
  const supplier = useWrite('enable_supplier_portal');
  const may = useCan(side === 'buyer' ? 'enable_buyer_portal' : 'enable_supplier_portal');
  const { membership } = useSession().me;
  const isAdmin = membership.role === 'admin';
  const toast = useToast();
  const write = side === 'buyer' ? buyer : supplier;
  const enable = (enabled: boolean): Promise<unknown> =>
    side === 'buyer'
      ? buyer.run({ buyer_id: id, enabled })
      : supplier.run({ supplier_id: id, enabled });
  const open = async (): Promise<void> => {
    if (await enable(true)) toast('The portal was opened.');
  };
  if (!portal.is_enabled) {
    return (
      <Notice
        tone="neutral"
        title="The portal is closed"
        action={
          may && (
            <Button kind="primary" isBusy={write.isRunning} onClick={() => void open()}>
              Open the portal
            </Button>
          )
        }
      >
        <p>Nobody of this {side} can sign in. Inviting a person opens it.</p>
        {write.error && <ErrorState error={write.error} />}
      </Notice>
    );
  }
  return (
    <Notice
      tone="good"
      title="The portal is open"
      action={
        may && (
          <Confirmed
            button="Close the portal"
            kind="danger"
            title="Close the portal?"
            act="Close the portal"
            isDanger
            write={write}
            run={() => enable(false)}
            describe={() => 'The portal was closed.'}
          >
            <p>
              Its people lose access at their next request. Settings and people are kept in case you
              open it again.
            </p>
          </Confirmed>
        )
      }
    >
      <p>
        Its people sign in at <Copied text={portal.portal_url} of="the address" />
      </p>
      {isAdmin && (
        <p>
          <a href={`/portal/${membership.id}.${side}.${id}`}>View as this {side}</a>
        </p>
      )}
    </Notice>
  );
}
