/** The parts of a posting guide: addresses, code, fields and responses. */
import './supplier.css';
import type { ReactNode } from 'react';
import { Code, Copied, Copy, Facts, Notice, Section, Table, Written } from '../ui/index.js';
import type { OutputOf } from './calls.js';
import { GuideCode } from './guideCode.js';

type Guide = OutputOf<'get_posting_guide'>['guide'];

interface GuidePartsProps {
  guide: Guide;
  /** The same as one text. */
  markdown: string;
}

/** All of a guide; also as the operator sees it. */
export const GuideParts = ({ guide, markdown }: GuidePartsProps): ReactNode => (
  <>
    <Address guide={guide} />
    <GuideCode guide={guide} />
    <Fields guide={guide} />
    <Answers guide={guide} />
    <Notes guide={guide} />
    <p>
      The whole guide as Markdown, for developers: <Copy text={markdown} of="guide" />
    </p>
  </>
);

function Address({ guide }: { guide: Guide }): ReactNode {
  const { campaign, supplier, endpoint, ping, rate_limit } = guide;
  return (
    <Section title="Address and ids">
      <Facts
        facts={[
          ['Send pings to', ping && <Copied text={ping.endpoint.url} of="address of pings" />],
          ['Post leads to', <Copied text={endpoint.url} of="address of leads" />],
          ['Campaign', <Copied text={campaign.id} of="campaign id" />],
          ['Supplier', supplier && <Copied text={supplier.id} of="supplier id" />],
          [
            'Rate limit',
            `${rate_limit.per_second} leads per second; bursts of ${rate_limit.burst_per_second} per second for ${rate_limit.burst_seconds} s`,
          ],
        ]}
      />
      {endpoint.note !== null && <Notice>{endpoint.note}</Notice>}
      <Table
        caption="Headers"
        rows={guide.headers}
        rowKey={({ name }) => name}
        empty={null}
        columns={[
          { header: 'Header', cell: ({ name }) => <code>{name}</code> },
          { header: 'Value', cell: ({ value }) => <code>{value}</code> },
          { header: 'Required', cell: ({ required }) => (required ? 'Yes' : 'No') },
          { header: 'Description', cell: ({ meaning }) => meaning },
        ]}
      />
    </Section>
  );
}

function Fields({ guide: { fields, ping } }: { guide: Guide }): ReactNode {
  const ofPings = ping ? new Set(ping.required) : null;
  return (
    <Section title="Fields">
      <Table
        caption="Fields of a lead"
        rows={fields}
        rowKey={({ name }) => name}
        empty={null}
        columns={[
          {
            header: 'Name',
            cell: ({ name, label }) => (
              <>
                <code>{name}</code>
                {label !== name && (
                  <>
                    {' '}
                    <Written>{label}</Written>
                  </>
                )}
              </>
            ),
          },
          { header: 'Type', cell: ({ type }) => type },
          { header: 'Required', cell: ({ required }) => (required ? 'Yes' : 'No') },
          ...(ofPings
            ? [
                {
                  header: 'In pings',
                  cell: ({ name }: Guide['fields'][number]) => (ofPings.has(name) ? 'Yes' : 'No'),
                },
              ]
            : []),
          {
            header: 'Allowed values',
            cell: ({ rules }) => <Written>{rules.length > 0 ? rules.join('; ') : 'any'}</Written>,
          },
          {
            header: 'Example',
            cell: ({ example }) => (example === null ? '–' : <code>{String(example)}</code>),
          },
        ]}
      />
    </Section>
  );
}

function Answers({ guide: { answers, ping } }: { guide: Guide }): ReactNode {
  return (
    <Section title="Responses">
      {ping && <AnswerList title="To pings" answers={ping.answers} />}
      <AnswerList title={ping ? 'To leads' : 'To every post'} answers={answers} />
    </Section>
  );
}

interface AnswerListProps {
  title: string;
  answers: Guide['answers'];
}

function AnswerList({ title, answers }: AnswerListProps): ReactNode {
  return (
    <>
      <h3>{title}</h3>
      {answers.map(({ status, code, when, body }) => (
        <details key={`${status} ${code}`}>
          <summary>
            <code>
              {status} {code}
            </code>{' '}
            {when}
          </summary>
          <Code label={`Body of ${status} ${code}`} text={body} />
        </details>
      ))}
    </>
  );
}

function Notes({ guide: { notes } }: { guide: Guide }): ReactNode {
  if (notes.length === 0) return null;
  return (
    <Section title="Notes">
      {notes.map(({ title, text }) => (
        <p key={title}>
          <strong>{title}.</strong> {text}
        </p>
      ))}
    </Section>
  );
}
