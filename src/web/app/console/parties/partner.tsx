import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { useCan } from '../../lib/session.js';
import {
  Button,
  Confirmed,
  Copied,
  ErrorState,
  Facts,
  Loaded,
  Page,
  Section,
  useToast,
  WordBadge,
} from '../../ui/index.js';
import { Unknown } from '../../shell/unknown.js';
import { useCall, useWrite } from '../../lib/useActions.js';
import { isSide, type PartyInput, type Portal, type Side } from './types.js';
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
  const write = side === 'buyer' ? buyer : supplier;
  const enable = (enabled: boolean): Promise<unknown> =>
    side === 'buyer'
      ? buyer.run({ buyer_id: id, enabled })
      : supplier.run({ supplier_id: id, enabled });
  const open = async (): Promise<void> => {
    if (await enable(true)) toast('The portal was opened.');
  };
  return (
    <>
      {write.error && !portal.is_enabled && <ErrorState error={write.error} />}
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
                Its people lose access at their next request. Settings and people are kept in case
                you open it again.
              </p>
            </Confirmed>
          ) : (
            <Button kind="primary" isBusy={write.isRunning} onClick={() => void open()}>
              Open the portal
            </Button>
          )}
        </div>
      )}
    </>
  );
}
