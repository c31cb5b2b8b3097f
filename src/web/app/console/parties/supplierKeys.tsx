import { KeyRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { OverlapField, overlapOf, ShownOnce, type Made } from '../../lib/rotation.js';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import {
  Button,
  Checkbox,
  Dialog,
  Code,
  EmptyState,
  ErrorState,
  Facts,
  FormButton,
  Section,
  Table,
  Time,
  Written,
} from '../../ui/index.js';
import type { SupplierTabProps } from './words.js';

/** The key that the supplier posts with, and those that it has made in its portal. */
export default function SupplierKeys({ supplier }: SupplierTabProps): ReactNode {
  return (
    <>
      <Section title="Main key" actions={<MainActs supplier={supplier} />}>
        <p>The supplier sends it as x-api-key with every lead.</p>
        <Facts
          facts={[
            ['Last used', <LastUse key="use" at={supplier.key_last_used_at} />],
            [
              'Old key',
              supplier.previous_key_until === null ? (
                'None is accepted'
              ) : (
                <>
                  Also accepted until <Time at={supplier.previous_key_until} />; last used:{' '}
                  <LastUse at={supplier.previous_key_last_used_at} />
                </>
              ),
            ],
          ]}
        />
      </Section>
      <Section title="Keys made in its portal">
        <Table
          caption="Keys made in its portal"
          rows={supplier.further_keys}
          rowKey={({ name, created_at }) => `${name} ${created_at}`}
          empty={
            <EmptyState title="No further keys" icon={KeyRound}>
              The people of its portal can make keys for other systems of theirs.
            </EmptyState>
          }
          columns={[
            { header: 'Name', cell: ({ name }) => <Written>{name}</Written> },
            {
              header: 'Begins with',
              cell: ({ prefix }) => (prefix === null ? null : <code>{prefix}…</code>),
            },
            { header: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
            { header: 'Last used', cell: ({ last_used_at }) => <LastUse at={last_used_at} /> },
          ]}
        />
      </Section>
    </>
  );
}

/** Uses are recorded since a release: a key may have been used before. */
const LastUse = ({ at }: { at: string | null }): ReactNode =>
  at === null ? <span className="muted">No use recorded</span> : <Time at={at} isRelative />;

function MainActs({ supplier }: SupplierTabProps): ReactNode {
  const may = useCan('rotate_supplier_key');
  if (!may) return null;
  return (
    <>
      <Reveal supplier={supplier} />
      <Rotate supplier={supplier} />
    </>
  );
}

/** Shows the main key; that it was shown is recorded. */
function Reveal({ supplier }: SupplierTabProps): ReactNode {
  const read = useWrite('get_supplier');
  const [key, setKey] = useState<string | null>(null);
  const reveal = async (): Promise<void> => {
    const found = await read.run({ supplier_id: supplier.id, reveal_key: true });
    if (found) setKey(found.api_key ?? '');
  };
  const close = (): void => setKey(null);
  return (
    <>
      {read.error && <ErrorState error={read.error} />}
      <Button isBusy={read.isRunning} onClick={() => void reveal()}>
        Show the key
      </Button>
      <Dialog title="Main key" isOpen={key !== null} onClose={close}>
        <p>The audit log says that you have seen it.</p>
        <Code label="Key" text={key ?? ''} />
        <div className="actions">
          <Button kind="primary" onClick={close}>
            Done
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function Rotate({ supplier }: SupplierTabProps): ReactNode {
  const rotate = useWrite('rotate_supplier_key');
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <FormButton
        button="Rotate"
        label="Rotate the main key"
        title="Rotate the main key?"
        write={rotate}
        submit="Rotate"
        run={(values) =>
          rotate.run({
            supplier_id: supplier.id,
            overlap_hours: overlapOf(values),
            end_further_keys: values.has('end_further_keys'),
          })
        }
        onDone={({ api_key, previous_until }) =>
          setMade({ secret: api_key, previousUntil: previous_until })
        }
      >
        <p>
          A new key is accepted at once and is shown once. Hand it to <bdi>{supplier.name}</bdi>.
          For a leaked key, enter 0 hours.
        </p>
        <OverlapField label="Hours for which the old key is also accepted" />
        {supplier.further_keys.length > 0 && (
          <Checkbox
            label="Also refuse the keys made in its portal"
            name="end_further_keys"
            hint="At once."
          />
        )}
      </FormButton>
      <ShownOnce title="New main key" what="key" made={made} onClose={() => setMade(null)} />
    </>
  );
}
