import type { ReactNode } from 'react';
import { EmptyState, Loaded, Page, Table, Written } from '../ui/index.js';
import { useCall } from './calls.js';

export default function Team(): ReactNode {
  const team = useCall('list_team', {});
  return (
    <Page title="Team">
      <Loaded of={team}>
        {(members) => (
          <Table
            caption="Members of your team"
            rows={members}
            rowKey={({ id }) => id}
            empty={<EmptyState title="Nobody yet" />}
            columns={[
              { key: 'name', header: 'Name', cell: ({ name }) => <Written>{name}</Written> },
              { key: 'email', header: 'E-mail', cell: ({ email }) => email },
              { key: 'role', header: 'Role', cell: ({ role }) => role },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}
