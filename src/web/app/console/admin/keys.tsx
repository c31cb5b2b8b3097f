import { Ban, Ellipsis, Plus, RefreshCw, ScrollText } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import {
  Button,
  Chip,
  EmptyState,
  IconButton,
  Menu,
  Page,
  Time,
  Written,
  type MenuItem,
} from '../../ui/index.js';
import { PagedDataTable, type DataColumn } from '../../ui/data/index.js';
import './admin.css';
import {
  CreateKeyDialog,
  RevokeDialog,
  RotateDialog,
  type Key,
  type MadeKey,
} from './keyDialogs.js';
import { Rights } from './keyRights.js';
import { ShownKey } from './shownKey.js';

type Act = { act: 'rotate' | 'revoke'; of: Key };

/** The keys of the organization: what each may do, when it was used, and when it ends. */
export default function Keys(): ReactNode {
  const keys = usePages('list_api_keys', { limit: 50 });
  const mayCreate = useCan('create_api_key');
  const [filters, change] = useFilters(['new']);
  const [act, setAct] = useState<Act | null>(null);
  const [made, setMade] = useState<MadeKey | null>(null);
  const close = (): void => setAct(null);
  const old = made?.replaces ?? null;
  return (
    <Page
      title="Keys"
      how={{ action: 'list_api_keys' }}
      intro="Programs, the command line and assistants act for your organization with a key. Suppliers have keys of their own."
      actions={
        mayCreate && (
          <Button kind="primary" onClick={() => change({ new: '1' })}>
            <Plus size={16} aria-hidden /> Create a key
          </Button>
        )
      }
    >
      <PagedDataTable
        of={keys}
        caption="Keys"
        columns={useColumns(setAct)}
        rowKey={({ id }) => id}
        storageKey="keys"
        empty={<EmptyState title="No keys yet">A key that is created appears here.</EmptyState>}
      />
      <CreateKeyDialog
        isOpen={mayCreate && filters.new !== undefined}
        onClose={() => change({ new: '' })}
        onMade={setMade}
      />
      {act?.act === 'rotate' && <RotateDialog of={act.of} onClose={close} onMade={setMade} />}
      {act?.act === 'revoke' && <RevokeDialog of={act.of} onClose={close} />}
      <ShownKey apiKey={made?.apiKey ?? null} onClose={() => setMade(null)}>
        {old && (
          <p>
            The old key ({old.prefix}…) still works. Give the new one to your programs, then revoke
            the old one.
          </p>
        )}
      </ShownKey>
    </Page>
  );
}

function useColumns(choose: (act: Act) => void): readonly DataColumn<Key>[] {
  const mayCreate = useCan('create_api_key');
  const mayRevoke = useCan('revoke_api_key');
  const maySeeAudit = useCan('list_audit');
  const [, go] = useLocation();
  const itemsOf = (of: Key): MenuItem[] => [
    ...(mayCreate && of.revoked_at === null
      ? [{ label: 'Rotate…', icon: RefreshCw, run: () => choose({ act: 'rotate', of }) }]
      : []),
    ...(maySeeAudit
      ? [{ label: 'What it changed', icon: ScrollText, run: () => go(`/audit?by=${of.id}`) }]
      : []),
    ...(mayRevoke && of.revoked_at === null
      ? [
          {
            label: 'Revoke…',
            icon: Ban,
            isDanger: true,
            run: () => choose({ act: 'revoke', of }),
          },
        ]
      : []),
  ];
  return [
    {
      id: 'name',
      header: 'Name',
      isPinned: true,
      cell: ({ name, prefix }) => (
        <div className="admin-person">
          <Written>{name}</Written>
          <code className="muted">{prefix}…</code>
        </div>
      ),
    },
    { id: 'state', header: 'State', cell: (key) => <KeyState of={key} /> },
    {
      id: 'permissions',
      header: 'Permissions',
      cell: ({ permissions }) => <Rights of={permissions} />,
    },
    {
      id: 'last_used_at',
      header: 'Last used',
      cell: ({ last_used_at }) =>
        last_used_at === null ? 'Never' : <Time at={last_used_at} isRelative />,
    },
    {
      id: 'expires_at',
      header: 'Expires',
      cell: ({ expires_at }) =>
        expires_at === null ? 'Never' : <Time at={expires_at} isRelative />,
    },
    {
      id: 'created_by',
      header: 'Created by',
      cell: ({ created_by, created_at }) => (
        <span>
          {created_by && <Written>{created_by.name}</Written>} <Time at={created_at} isRelative />
        </span>
      ),
    },
    {
      id: 'acts',
      header: 'Actions',
      cell: (key) => (
        <Menu
          trigger={<IconButton icon={Ellipsis} label={`Actions for ${key.name} ${key.prefix}`} />}
          items={itemsOf(key)}
        />
      ),
    },
  ];
}

/** Days before its end in which a key is marked as ending soon. */
const SOON_MS = 14 * 86_400_000;

function KeyState({ of }: { of: Key }): ReactNode {
  if (of.revoked_at !== null) return <Chip tone="neutral">Revoked</Chip>;
  const left = of.expires_at === null ? Infinity : Date.parse(of.expires_at) - Date.now();
  if (left <= 0) return <Chip tone="bad">Expired</Chip>;
  return left < SOON_MS ? <Chip tone="warning">Ends soon</Chip> : <Chip tone="good">Active</Chip>;
}
