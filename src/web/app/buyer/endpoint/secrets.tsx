import { useState, type ReactNode } from 'react';
import { useWrite, type Endpoint, type InputOf } from '../calls.js';
import { FormButton, Time } from '../../ui/index.js';
import { OverlapField, overlapOf, ShownOnce, type Made } from '../../lib/rotation.js';

type Kind = InputOf<'rotate_secret'>['secret'];

const KINDS: readonly (readonly [Kind, string, string])[] = [
  ['signing', 'Signing secret', 'Verifies that requests to your endpoint come from us.'],
  ['webhook', 'Postback secret', 'Authenticates the outcomes that you report.'],
];

/** Secrets are shown when they are made, and not again. */
export function Secrets({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const { secrets } = endpoint;
  const until = {
    signing: secrets.signing_previous_until,
    webhook: secrets.webhook_previous_until,
  };
  return (
    <>
      {KINDS.map(([kind, name, what]) => (
        <article key={kind} className="card">
          <header className="section-head">
            <h3>{name}</h3>
            <Rotate kind={kind} name={name} />
          </header>
          <p>{what}</p>
          {until[kind] !== null && (
            <p>
              The previous secret is valid until <Time at={until[kind]} />.
            </p>
          )}
        </article>
      ))}
    </>
  );
}

function Rotate({ kind, name }: { kind: Kind; name: string }): ReactNode {
  const rotate = useWrite('rotate_secret');
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <FormButton
        button="Rotate"
        label={`Rotate the ${name.toLowerCase()}`}
        title={`Rotate the ${name.toLowerCase()}`}
        write={rotate}
        submit="Rotate"
        run={(values) => rotate.run({ secret: kind, overlap_hours: overlapOf(values) })}
        onDone={({ value, previous_until }) =>
          setMade({ secret: value, previousUntil: previous_until })
        }
      >
        <p>
          This cannot be undone. Both secrets are valid during the overlap, then only the new one.
        </p>
        <OverlapField label="Overlap in hours" />
      </FormButton>
      <ShownOnce
        title={`New ${name.toLowerCase()}`}
        what="secret"
        made={made}
        onClose={() => setMade(null)}
      />
    </>
  );
}
