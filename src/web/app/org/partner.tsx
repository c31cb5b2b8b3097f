import { useState, type ReactNode } from 'react';
import { useParams } from 'wouter';
import { useCan } from '../lib/session.js';
import {
  Button,
  Confirm,
  Copied,
  ErrorState,
  Facts,
  Loaded,
  Page,
  Section,
  useToast,
  WordBadge,
} from '../ui/index.js';
import { Unknown } from '../shell/unknown.js';
import { isSide, useCall, useWrite, type PartyInput, type Portal, type Side } from './calls.js';
import { PortalForm } from './portalForm.js';
import { PortalMembers } from './portalMembers.js';

/** The portal of one buyer or supplier; without an id, the settings of the portals of all of that side. */
export default function Partner(): ReactNode {
  const { id, side } = useParams();
  if (!isSide(side)) return <Unknown />;
  return id === undefined ? <Defaults side={side} /> : <PortalOf side={side} id={id} />;
}

function Defaults({ side }: { side: Side }): ReactNode {
  const portal = useCall('get_portal_settings', { side });
  return (
    <Page
      title={`Portals of all ${side}s`}
      intro="These settings apply unless a partner has its own."
    >
      <Loaded of={portal}>{(settings) => <PortalForm portal={settings} place={{ side }} />}</Loaded>
    </Page>
  );
}

/** Whether the portal is open, its people, and their rights. */
function PortalOf({ side, id }: { side: Side; id: string }): ReactNode {
  const place: PartyInput = side === 'buyer' ? { buyer_id: id } : { supplier_id: id };
  const portal = useCall('get_portal_settings', place);
  const name = portal.data?.party?.name ?? (side === 'buyer' ? 'Buyer' : 'Supplier');
  return (
    <Page title={`Portal of ${name}`}>
      <Loaded of={portal}>
        {(settings) => (
          <>
            <State portal={settings} side={side} id={id} />
            <Section title="People">
              <PortalMembers party={place} />
            </Section>
            <Section title="Settings">
              <PortalForm portal={settings} place={place} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function State({ portal, side, id }: { portal: Portal; side: Side; id: string }): ReactNode {
  const buyer = useWrite('enable_buyer_portal');
  const supplier = useWrite('enable_supplier_portal');
  const may = useCan(side === 'buyer' ? 'enable_buyer_portal' : 'enable_supplier_portal');
  const toast = useToast();
  const [isClosing, setIsClosing] = useState(false);
  const { isRunning, error } = side === 'buyer' ? buyer : supplier;
  const set = async (enabled: boolean): Promise<void> => {
    const done = await (side === 'buyer'
      ? buyer.run({ buyer_id: id, enabled })
      : supplier.run({ supplier_id: id, enabled }));
    setIsClosing(false);
    if (done) toast(enabled ? 'The portal was opened.' : 'The portal was closed.');
  };
  return (
    <>
      {error && <ErrorState error={error} />}
      <Facts
        facts={[
          [
            'Portal',
            <WordBadge of={portal.is_enabled ? ['Open', 'good'] : ['Closed', 'neutral']} />,
          ],
          ['Sign-in URL', <Copied text={portal.portal_url} of="the address" />],
        ]}
      />
      {may && (
        <div className="actions">
          {portal.is_enabled ? (
            <Button kind="danger" onClick={() => setIsClosing(true)}>
              Close the portal
            </Button>
          ) : (
            <Button kind="primary" isBusy={isRunning} onClick={() => void set(true)}>
              Open the portal
            </Button>
          )}
        </div>
      )}
      <Confirm
        title="Close the portal?"
        act="Close the portal"
        isOpen={isClosing}
        isDanger
        isBusy={isRunning}
        onConfirm={() => void set(false)}
        onClose={() => setIsClosing(false)}
      >
        <p>
          Its people lose access at their next request. Settings and people are kept in case you
          open it again.
        </p>
      </Confirm>
    </>
  );
}
