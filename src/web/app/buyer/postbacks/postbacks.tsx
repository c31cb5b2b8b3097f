import type { ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useCall, type PostbackGuide } from '../calls.js';
import { Code, Facts, Loaded, Page, Section, Table } from '../../ui/index.js';
import { TryOut } from './tryOut.js';

/** How the buyer's own system reports outcomes: the address, its parameters, example programs, and a try-out. */
export default function Postbacks(): ReactNode {
  const guide = useCall('get_postback_guide', {});
  const mayTry = useCan('try_postback');
  return (
    <Page
      title="Postbacks"
      intro={<p>Your system reports the outcome of each lead with one request.</p>}
    >
      <Loaded of={guide}>
        {(data) => (
          <>
            <Guide guide={data} />
            {mayTry && (
              <Section title="Test a postback">
                <TryOut />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Guide({ guide }: { guide: PostbackGuide }): ReactNode {
  return (
    <>
      <Section title="Postback URL">
        <Code label={`${guide.method} to`} text={guide.url} />
        <Facts
          facts={[
            [
              'Header',
              <span key="header">
                <code>{guide.secret_header}</code> with your postback secret, created on the
                Endpoint page
              </span>,
            ],
            [
              'Identify the lead by',
              ['lead_id', ...guide.match_fields.filter((name) => name !== 'lead_id')].join(', '),
            ],
          ]}
        />
      </Section>
      <Section title="Parameters">
        <Table
          caption="Postback parameters"
          rows={guide.keys}
          rowKey={({ name }) => name}
          empty={null}
          columns={[
            { header: 'Key', cell: ({ name }) => <code>{name}</code> },
            { header: 'Type', cell: ({ type }) => type },
            { header: 'Description', cell: ({ description }) => description },
          ]}
        />
      </Section>
      <Section title="Code examples">
        {guide.examples.map(({ language, code }) => (
          <Code key={language} label={language} text={code} />
        ))}
      </Section>
    </>
  );
}
