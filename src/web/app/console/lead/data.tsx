import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { Button, Code, EmptyState, Facts, Loaded, Section, Time, Written } from '../../ui/index.js';
import { fieldsOf, isMasked, labelOf, shown } from './person.js';
import type { Lead } from './words.js';

/** All that was sent: the fields of the campaign, and what came beside them. */
export function Data({ lead }: { lead: Lead }): ReactNode {
  if (isMasked(lead)) return <EmptyState title="Your role does not see data of people" />;
  return (
    <>
      <Section title="Fields">
        <Values of={fieldsOf(lead)} empty="No fields" />
      </Section>
      <Section title="Other fields">
        <p className="muted">
          Sent by the supplier and not in the field mapping. Buyers receive them; routing does not
          use them.
        </p>
        <Values of={shown(lead.extra) ?? {}} empty="None" />
      </Section>
    </>
  );
}

function Values({ of, empty }: { of: Lead['fields']; empty: string }): ReactNode {
  const entries = Object.entries(of);
  if (entries.length === 0) return <p className="muted">{empty}</p>;
  return (
    <div className="card">
      <Facts
        facts={entries.map(([name, value]) => [labelOf(name), <Written>{String(value)}</Written>])}
      />
    </div>
  );
}

/** What its person agreed to. Reading it is recorded, so it is read only when it is asked for. */
export function Consent({ lead }: { lead: Lead }): ReactNode {
  const may = useCan('get_consent_record');
  const [isAsked, setIsAsked] = useState(false);
  const record = useCall('get_consent_record', { lead_id: lead.id }, { isOff: !isAsked });
  if (!may) return null;
  return (
    <Section
      title="Consent"
      actions={!isAsked && <Button onClick={() => setIsAsked(true)}>Show the record</Button>}
    >
      {isAsked ? (
        <Loaded of={record}>
          {(one) => (
            <>
              <Facts
                facts={[
                  ['Given', <Time at={one.at} />],
                  ['Text', <Written>{one.text}</Written>],
                  ['Names', <Written>{one.sellers.join(', ') || '–'}</Written>],
                  ['Address of the visitor', <code>{one.ip}</code>],
                  ['Page', one.page_url !== null && <Written>{one.page_url}</Written>],
                  ['Browser', one.user_agent !== null && <Written>{one.user_agent}</Written>],
                ]}
              />
              <Code label="Answers" text={one.answers} />
            </>
          )}
        </Loaded>
      ) : (
        <p className="muted">It was filled in on a funnel. Looking at the record is recorded.</p>
      )}
    </Section>
  );
}
