/** The API keys of a supplier: made, rotated, revoked; each is shown once. */
import './supplier.css';
import { useState, type ReactNode } from 'react';
import { useCan } from '../lib/session.js';
import { useCall, useWrite, type OutputOf } from './calls.js';
import {
  Badge,
  Confirmed,
  Copy,
  EmptyState,
  Field,
  FormButton,
  Loaded,
  Page,
  Table,
  Time,
  Written,
} from '../ui/index.js';
import { formText } from '../lib/formValues.js';
import { OverlapField, overlapOf, ShownOnce, type Made } from '../lib/rotation.js';

type Key = OutputOf<'list_keys'>[number];
type NewKey = OutputOf<'create_key'>;

/** A key that expires has been rotated, main or additional. */
const kindOf = ({ kind, expires_at }: Key): string => {
  if (expires_at !== null) return 'Rotated, valid until it expires';
  return kind === 'main' ? 'Main key' : 'Additional key';
};

/** Two keys share a name after a rotation, but not their first characters. */
const nameOf = ({ name, prefix }: Key): string => (prefix === null ? name : `${name} ${prefix}…`);

export default function Keys(): ReactNode {
  const keys = useCall('list_keys', {});
  const create = useWrite('create_key');
  const canCreate = useCan('create_key');
  const [made, setMade] = useState<Made | null>(null);
  const show = ({ api_key, previous_until }: NewKey): void =>
    setMade({ secret: api_key, previousUntil: previous_until });
  return (
    <Page
      title="Keys"
      intro="Your servers send one of these in the x-api-key header. Keep keys on your servers, never in a web page or an app."
      actions={
        canCreate && (
          <FormButton
            button="Create key"
            kind="primary"
            title="Create key"
            write={create}
            submit="Create"
            run={(values) => create.run({ name: formText(values, 'name') })}
            onDone={show}
          >
            <Field
              label="Name"
              name="name"
              required
              maxLength={120}
              hint="Such as the server that uses it."
            />
          </FormButton>
        )
      }
    >
      <Loaded of={keys}>{(data) => <KeyTable keys={data} onMade={show} />}</Loaded>
      <ShownOnce title="Your new key" what="key" made={made} onClose={() => setMade(null)} />
    </Page>
  );
}

interface KeyTableProps {
  keys: readonly Key[];
  onMade(key: NewKey): void;
}

function KeyTable({ keys, onMade }: KeyTableProps): ReactNode {
  const canRotate = useCan('rotate_key');
  const canRevoke = useCan('revoke_key');
  const rotate = useWrite('rotate_key');
  const revoke = useWrite('revoke_key');
  return (
    <Table
      caption="Keys"
      rows={keys}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No keys">Create one to post leads.</EmptyState>}
      columns={[
        {
          header: 'Name',
          cell: ({ name, prefix }) => (
            <>
              <Written>{name}</Written> {prefix !== null && <code>{prefix}…</code>}
            </>
          ),
        },
        {
          header: 'Kind',
          cell: (key) => (
            <Badge tone={key.expires_at === null ? 'neutral' : 'warning'}>{kindOf(key)}</Badge>
          ),
        },
        { header: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
        {
          header: 'Last used',
          cell: ({ last_used_at }) => last_used_at && <Time at={last_used_at} isRelative />,
        },
        { header: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
        { header: 'Id', cell: (key) => <Copy text={key.id} of={`id of ${nameOf(key)}`} /> },
        {
          header: 'Actions',
          cell: (key) => (
            <div className="row">
              {canRotate && key.expires_at === null && (
                <FormButton
                  button="Rotate"
                  label={`Rotate ${nameOf(key)}`}
                  kind="quiet"
                  title={`Rotate ${key.name}`}
                  write={rotate}
                  submit="Rotate"
                  run={(values) => rotate.run({ key_id: key.id, overlap_hours: overlapOf(values) })}
                  onDone={onMade}
                >
                  <p>Creates a new key. The old one stays valid for the hours you choose.</p>
                  <OverlapField label="Hours that the old key stays valid" />
                </FormButton>
              )}
              {canRevoke && key.kind !== 'main' && (
                <Confirmed
                  button="Revoke"
                  label={`Revoke ${nameOf(key)}`}
                  kind="quiet"
                  title={`Revoke ${key.name}?`}
                  act="Revoke"
                  isDanger
                  write={revoke}
                  run={() => revoke.run({ key_id: key.id })}
                  describe={() => `Revoked: ${key.name}`}
                >
                  <p>Posts with this key are refused at once. This cannot be undone.</p>
                </Confirmed>
              )}
            </div>
          ),
        },
      ]}
    />
  );
}
