import { useState, type ReactNode } from 'react';
import { useWrite } from '../calls.js';
import { Button, Code, Dialog, Facts, Form, Time } from '../../ui/index.js';
import { OverlapField, overlapOf } from '../../lib/overlapField.js';
import type { Endpoint, InputOf, OutputOf } from '../types.js';

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
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<OutputOf<'rotate_secret'> | null>(null);
  const close = (): void => {
    setIsOpen(false);
    setMade(null);
    rotate.reset();
  };
  const submit = async (values: FormData): Promise<void> => {
    setMade(await rotate.run({ secret: kind, overlap_hours: overlapOf(values) }));
  };
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        Rotate<span className="hidden"> the {name.toLowerCase()}</span>
      </Button>
      <Dialog title={`Rotate the ${name.toLowerCase()}`} isOpen={isOpen} onClose={close}>
        {made ? (
          <NewSecret of={made} name={name} onClose={close} />
        ) : (
          <Form
            onSubmit={submit}
            write={rotate}
            submit="Make a new secret"
            actions={<Button onClick={close}>Cancel</Button>}
          >
            <p>
              This cannot be undone. Both secrets are valid during the overlap, then only the new
              one.
            </p>
            <OverlapField label="Overlap in hours" />
          </Form>
        )}
      </Dialog>
    </>
  );
}

interface NewSecretProps {
  of: OutputOf<'rotate_secret'>;
  name: string;
  onClose(): void;
}

function NewSecret({ of, name, onClose }: NewSecretProps): ReactNode {
  return (
    <>
      <p role="status">
        The secret is made. It is shown this once: put it where your system reads it.
      </p>
      <Code label={name} text={of.value} />
      {of.previous_until === null ? (
        <p>The previous one is no longer valid.</p>
      ) : (
        <Facts facts={[['The previous one is valid until', <Time at={of.previous_until} />]]} />
      )}
      <div className="actions">
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </>
  );
}
