import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite, type OutputOf } from '../../lib/useActions.js';
import { Confirmed, Section, Table, Time, Written } from '../../ui/index.js';

type Delivery = OutputOf<'list_event_deliveries'>[number];

/** The newest that are shown. */
const SHOWN = 20;

/** Where Today leads to. */
const ANCHOR = 'dead-letters';

/** Events that an automation did not accept for three days: nothing sends them again but an operator. */
export function DeadLetters(): ReactNode {
  const may = useCan('list_event_deliveries');
  const mayName = useCan('list_automations');
  const dead = useCall('list_event_deliveries', { state: 'parked', limit: SHOWN }, { isOff: !may });
  const count = dead.data?.length ?? 0;
  const isOff = !mayName || count === 0;
  const automations = useCall('list_automations', { limit: 500 }, { isOff });
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (count > 0 && location.hash === `#${ANCHOR}`) place.current?.scrollIntoView();
  }, [count]);
  if (!dead.data || count === 0) return null;
  const names = new Map(automations.data?.map(({ id, name }) => [id, name]));
  return (
    <div ref={place} id={ANCHOR}>
      <Section title="Dead letters">
        <p className="muted">
          Events that their automation did not accept{count === SHOWN && `, the newest ${SHOWN}`}.
        </p>
        <Table<Delivery>
          caption="Events that no automation accepted"
          rows={dead.data}
          rowKey={({ id }) => id}
          empty={null}
          columns={[
            { header: 'Event', cell: ({ type }) => <code>{type}</code> },
            { header: 'Since', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
            {
              header: 'Automation',
              cell: ({ automation_id: id }) => (
                <Written>{names.get(id) ?? `…${id.slice(-8)}`}</Written>
              ),
            },
            { header: 'Reason', cell: ({ reason }) => <Written>{reason ?? '–'}</Written> },
            { header: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
            {
              header: 'Lead',
              cell: ({ lead_id: id }) =>
                id === null ? '–' : <Link href={`/leads/${id}`}>{`…${id.slice(-8)}`}</Link>,
            },
            { header: 'Actions', cell: (row) => <Resend of={row} /> },
          ]}
        />
      </Section>
    </div>
  );
}

function Resend({ of: { event_id, automation_id, type } }: { of: Delivery }): ReactNode {
  const write = useWrite('resend_event');
  const may = useCan('resend_event');
  if (!may) return null;
  return (
    <Confirmed
      button="Resend"
      label={`Resend ${type}`}
      title="Resend this event"
      act="Resend"
      kind="quiet"
      write={write}
      run={() => write.run({ event_id, automation_id })}
      describe={({ resent }) => (resent === 1 ? 'The event is sent again.' : 'Nothing was sent.')}
    >
      <p>
        It is sent to its automation now, and again with longer pauses while it is not accepted.
      </p>
    </Confirmed>
  );
}
