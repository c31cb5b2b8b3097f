import type { ReactNode } from 'react';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { Code, Facts, Loaded, Money, Time, Timeline, type TimelineItem } from '../../ui/index.js';
import { CommandButton, type Command } from './command.js';
import { labelOf, shown } from './person.js';

type Delivery = OutputOf<'get_delivery'>;

/** One attempt: what was sent, what came back, and what can be done. */
export function AttemptDetail({ id }: { id: string }): ReactNode {
  const delivery = useCall('get_delivery', { delivery_id: id });
  return <Loaded of={delivery}>{(data) => <Content delivery={data} />}</Loaded>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['retry_deliveries', 'retry'],
  ['hold_deliveries', 'hold'],
  ['drop_deliveries', 'drop'],
  ['resolve_delivery', 'resolve'],
]);

function Content({ delivery }: { delivery: Delivery }): ReactNode {
  const { can, price, expires_at, next_try_at, settled_at } = delivery;
  const reference = shown(delivery.reference);
  return (
    <div className="stack">
      {can.length > 0 && (
        <div className="actions">
          {can
            .flatMap(({ action }) => COMMANDS.get(action) ?? [])
            .map((command) => (
              <CommandButton key={command} command={command} delivery={delivery} />
            ))}
        </div>
      )}
      <Facts
        facts={[
          ['Price', <Money amount={price} />],
          ['Next try', next_try_at !== null && <Time at={next_try_at} />],
          ['Waits until', expires_at !== null && <Time at={expires_at} />],
          ['Ended', settled_at !== null && <Time at={settled_at} />],
          ['Reference of the buyer', reference !== null && <bdi>{reference}</bdi>],
        ]}
      />
      <Exchange delivery={delivery} />
      <History delivery={delivery} />
    </div>
  );
}

function Exchange({ delivery }: { delivery: Delivery }): ReactNode {
  const request = shown(delivery.request);
  const answer = shown(delivery.answer);
  return (
    <div className="lead-exchange">
      {request === null ? (
        <p className="muted">{whyNoRequest(delivery)}</p>
      ) : (
        <Request of={request} />
      )}
      {answer === null ? (
        <p className="muted">No answer is stored.</p>
      ) : (
        <Code label="Answer (at most its first 500 characters)" text={pretty(answer)} />
      )}
    </div>
  );
}

function whyNoRequest({ tries, state }: Delivery): string {
  if (tries === 0) return 'Nothing was sent yet.';
  return state === 'sending'
    ? 'It is being sent.'
    : 'The request is not shown: your role does not see it, or the settings of that time are gone.';
}

type Shown = NonNullable<Delivery['request']>;

function Request({ of: { method, http, mail, row } }: { of: Shown }): ReactNode {
  if (http) {
    const headers = Object.entries(http.headers).map(([name, value]) => `${name}: ${value}`);
    return (
      <div className="stack">
        <Code label={`${http.method} ${http.url}`} text={pretty(http.body)} />
        <details>
          <summary>Headers ({headers.length})</summary>
          <Code label="Headers (secrets hidden)" text={headers.join('\n')} />
        </details>
      </div>
    );
  }
  if (mail) return <Code label={`Email: ${mail.subject}`} text={mail} />;
  if (row) return <Code label="Row of the sheet" text={row.cells} />;
  return <p className="muted">{labelOf(method.toLowerCase())}: kept here, nothing is sent.</p>;
}

/** JSON in lines; other text as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function History({ delivery }: { delivery: Delivery }): ReactNode {
  const history = shown(delivery.history) ?? [];
  if (history.length === 0) return null;
  const items = history.map((step): TimelineItem => {
    const by = step.by === null ? '' : ` by ${step.by}`;
    const note = step.note === null ? '' : `: “${step.note}”`;
    return {
      at: step.at,
      title: (
        <bdi>{`${labelOf(step.result)}${by}${note || (step.reason ? ` (${step.reason})` : '')}`}</bdi>
      ),
      tone: step.result === 'accepted' ? 'good' : step.result === 'rejected' ? 'bad' : 'neutral',
      detail:
        step.latency_ms === null ? undefined : `${step.latency_ms.toLocaleString('en-US')} ms`,
    };
  });
  return <Timeline label="What happened to it" items={items} />;
}
