/** The organization as a whole: its name, its time zone, how its people sign in, and what no record may exceed. */
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { Copy, Facts, Loaded, Page, Section, Time } from '../../ui/index.js';
import { AccountForm } from './accountForm.js';
import { SingleSignOn } from './singleSignOn.js';

type Account = OutputOf<'get_account'>;

export default function AccountSettings(): ReactNode {
  const account = useCall('get_account', {});
  const canSeeSignOn = useCan('get_single_sign_on');
  return (
    <Page title="Account settings" how={{ action: 'get_account' }}>
      <Loaded of={account} shape="cards">
        {(data) => (
          <>
            <Section title="Organization">
              <div className="card">
                <AccountForm account={data} />
              </div>
            </Section>
            {canSeeSignOn && <SingleSignOn />}
            <Section title="Size and limits">
              <div className="card">
                <Size account={data} />
              </div>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Size({ account }: { account: Account }): ReactNode {
  const { id, created_at, counts, limits } = account;
  const { number } = useFormats();
  const sum = (byStatus: Readonly<Record<string, number>>): string =>
    number(Object.values(byStatus).reduce((all, one) => all + one, 0));
  return (
    <Facts
      facts={[
        [
          'Account ID',
          <span className="actions">
            <code>{id}</code>
            <Copy text={id} of="the account ID" />
          </span>,
        ],
        ['Created', <Time at={created_at} />],
        ['Campaigns', sum(counts.campaigns)],
        [
          'Buyers',
          `${sum(counts.buyers)}, at most ${number(limits.buyers_per_campaign)} in a campaign`,
        ],
        [
          'Suppliers',
          `${sum(counts.suppliers)}, at most ${number(limits.suppliers_per_campaign)} in a campaign`,
        ],
        ['Keys', number(counts.keys)],
        ['Fields of a campaign', `at most ${number(limits.fields_per_campaign)}`],
      ]}
    />
  );
}
