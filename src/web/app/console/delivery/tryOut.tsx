/** What the buyer would be sent, without sending it. */
import type { ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import { useWrite, type OutputOf } from '../../lib/useActions.js';
import { Code, EmptyState, Facts, Field, Form, Money, Select } from '../../ui/index.js';
import type { BuyerTabProps } from '../parties/words.js';
import { useState } from 'react';

type Tried = OutputOf<'test_delivery'>;

export function TryOut({ buyer }: BuyerTabProps): ReactNode {
  const test = useWrite('test_delivery');
  const maySeeLeads = useCan('get_leads');
  const [tried, setTried] = useState<Tried | null>(null);
  if (buyer.campaigns.length === 0) {
    return (
      <EmptyState title="No campaign yet">
        A delivery can be tried out once the buyer is in a campaign.
      </EmptyState>
    );
  }
  const run = async (values: FormData): Promise<void> => {
    const lead = formText(values, 'lead_id');
    const found = await test.run({
      buyer_id: buyer.id,
      campaign_id: formText(values, 'campaign_id'),
      lead_id: lead === '' ? undefined : lead,
    });
    if (found) setTried(found);
  };
  return (
    <>
      <p>Shows the request as the buyer would get it. Nothing is sent.</p>
      <Form submit="Show the request" write={test} onSubmit={run}>
        <div className="filters">
          <Select
            label="Campaign"
            name="campaign_id"
            options={buyer.campaigns.map(({ campaign_id, campaign_name }) => ({
              value: campaign_id,
              label: campaign_name ?? campaign_id,
            }))}
          />
          {maySeeLeads && (
            <Field
              label="Lead ID"
              name="lead_id"
              maxLength={100}
              hint="Empty: a sample is made up."
            />
          )}
        </div>
      </Form>
      {tried && <Request tried={tried} />}
    </>
  );
}

function Request({ tried }: { tried: Tried }): ReactNode {
  const { http, mail, row, method, price } = tried;
  return (
    <div role="status">
      <Facts
        facts={[
          ['Price of the lead', <Money key="price" amount={price} />],
          ['Sent to', http && <code>{`${http.method} ${http.url}`}</code>],
        ]}
      />
      {http && (
        <>
          <Code label="Headers" text={headerLines(http.headers)} />
          <Code label="Body" text={pretty(http.body)} />
        </>
      )}
      {mail && <Code label="Email" text={mail} />}
      {row && <Code label="Row" text={row} />}
      {method === 'STORE' && <p>The lead is stored and counts as accepted; nothing is sent.</p>}
    </div>
  );
}

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** JSON with line breaks; another body as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
