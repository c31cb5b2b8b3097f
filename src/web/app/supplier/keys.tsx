/** The API keys of a supplier: made, rotated, revoked; each is shown once. */
import './supplier.css';
import { useState, type ReactNode } from 'react';
import { useCan } from '../lib/session.js';
import { useCall } from './calls.js';
import {
  Badge,
  Button,
  Copy,
  EmptyState,
  Loaded,
  Page,
  Table,
  Time,
  Written,
} from '../ui/index.js';
import {
  CreateKeyDialog,
  RevokeKeyDialog,
  RotateKeyDialog,
  type Key,
  type NewKey,
} from './keyDialogs.js';
import { ShownOnce } from '../lib/rotation.js';

/** The dialog that is open. */
type Ask = { act: 'create' } | { act: 'rotate' | 'revoke'; key: Key };

/** A key that expires has been rotated, main or additional. */
const kindOf = ({ kind, expires_at }: Key): string => {
  if (expires_at !== null) return 'Rotated, valid until it expires';
  return kind === 'main' ? 'Main key' : 'Additional key';
};

/** Two keys share a name after a rotation, but not their first characters. */
const nameOf = ({ name, prefix }: Key): string => (prefix === null ? name : `${name} ${prefix}…`);

export default function Keys(): ReactNode {
  const keys = useCall('list_keys', {});
  const canCreate = useCan('create_key');
  const [ask, setAsk] = useState<Ask | null>(null);
  const [made, setMade] = useState<NewKey | null>(null);
  const close = (): void => setAsk(null);
  const show = (key: NewKey): void => {
    setAsk(null);
    setMade(key);
  };
  return (
    <Page
      title="Keys"
      intro="Your servers send one of these in the x-api-key header. Keep keys on your servers, never in a web page or an app."
      actions={
        canCreate && (
          <Button kind="primary" onClick={() => setAsk({ act: 'create' })}>
            Create key
          </Button>
        )
      }
    >
      <Loaded of={keys}>{(data) => <KeyTable keys={data} onAsk={setAsk} />}</Loaded>
      <CreateKeyDialog isOpen={ask?.act === 'create'} onMade={show} onClose={close} />
      <RotateKeyDialog of={ask?.act === 'rotate' ? ask.key : null} onMade={show} onClose={close} />
      <RevokeKeyDialog of={ask?.act === 'revoke' ? ask.key : null} onClose={close} />
      <ShownOnce
        title="Your new key"
        what="key"
        secret={made?.api_key ?? null}
        previousUntil={made?.previous_until ?? null}
        onClose={() => setMade(null)}
      />
    </Page>
  );
}

function KeyTable({ keys, onAsk }: { keys: readonly Key[]; onAsk(ask: Ask): void }): ReactNode {
  const canRotate = useCan('rotate_key');
  const canRevoke = useCan('revoke_key');
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
        { header: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
        { header: 'Id', cell: (key) => <Copy text={key.id} of={`id of ${nameOf(key)}`} /> },
        {
          header: 'Actions',
          cell: (key) => (
            <span className="row">
              {canRotate && key.expires_at === null && (
                <Button
                  kind="quiet"
                  aria-label={`Rotate ${nameOf(key)}`}
                  onClick={() => onAsk({ act: 'rotate', key })}
                >
                  Rotate
                </Button>
              )}
              {canRevoke && key.kind !== 'main' && (
                <Button
                  kind="quiet"
                  aria-label={`Revoke ${nameOf(key)}`}
                  onClick={() => onAsk({ act: 'revoke', key })}
                >
                  Revoke
                </Button>
              )}
            </span>
          ),
        },
      ]}
    />
  );
}
