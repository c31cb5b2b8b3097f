import type { ReactNode } from 'react';
import type { InputOf } from '../../lib/useActions.js';
import { Badge } from '../../ui/index.js';

export type Permission = NonNullable<InputOf<'create_api_key'>['permissions']>[number];
type Area = Permission extends `${infer A}:${string}` ? A : never;

/** Every area, with what it is about. */
const AREAS = {
  campaigns: 'Campaigns',
  buyers: 'Buyers',
  suppliers: 'Suppliers',
  leads: 'Leads',
  funnels: 'Funnels',
  reports: 'Reports',
  portal: 'Portals',
  settings: 'Settings, members, keys',
} as const satisfies Record<Area, string>;

const LIST = Object.entries(AREAS) as [Area, string][];

/** Boxes for what a key may read and change; writing includes reading. */
export function RightsField(): ReactNode {
  return (
    <fieldset className="field">
      <legend>Permissions</legend>
      <p className="hint">Writing includes reading. Without any, the key reads everything.</p>
      <table className="admin-rights">
        <thead>
          <tr>
            <th scope="col">Area</th>
            <th scope="col">Read</th>
            <th scope="col">Write</th>
          </tr>
        </thead>
        <tbody>
          {LIST.map(([area, label]) => (
            <tr key={area}>
              <th scope="row">{label}</th>
              {(['read', 'write'] as const).map((kind) => (
                <td key={kind}>
                  <label>
                    <input type="checkbox" name="permissions" value={`${area}:${kind}`} />
                    <span className="hidden">
                      {kind} {label}
                    </span>
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </fieldset>
  );
}

/** The checked ones; undefined where none is: the service's default. */
export function rightsIn(values: FormData): Permission[] | undefined {
  const chosen = values.getAll('permissions').map(String) as Permission[];
  return chosen.length === 0 ? undefined : chosen;
}

/** What a key may do, in as few words as say it. */
export function Rights({ of }: { of: readonly Permission[] }): ReactNode {
  const has = (permission: Permission): boolean => of.includes(permission);
  const writes = LIST.filter(([area]) => has(`${area}:write`));
  const reads = LIST.filter(([area]) => has(`${area}:read`) && !has(`${area}:write`));
  if (writes.length === LIST.length) return <Badge tone="warning">Everything</Badge>;
  if (writes.length === 0 && reads.length === LIST.length) return <Badge>Reads everything</Badge>;
  return (
    <span className="admin-parts">
      {writes.map(([area, label]) => (
        <Badge key={area} tone="warning">
          {label}: write
        </Badge>
      ))}
      {reads.map(([area, label]) => (
        <Badge key={area}>{label}: read</Badge>
      ))}
    </span>
  );
}
