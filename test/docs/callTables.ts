/** The tables of `docs/permissions.md`, generated from the definitions of actions and of the calls of portals. */
import { REGISTRY } from '../../src/api/actions/registry.js';
import type { Action } from '../../src/api/actions/action.js';
import { rightsOf } from '../../src/api/actions/roles.js';
import type { Definition } from '../../src/api/calls/definition.js';
import { mayRun } from '../../src/api/calls/rights.js';
import { rulesOf } from '../../src/api/calls/rules.js';
import type { PartnerCall, PartnerFile } from '../../src/api/partner/call.js';
import { PORTALS } from '../../src/api/partner/registry.js';
import { ORG_ROLES, type OrgRole } from '../../src/people/types.js';
import { code, tableOf, withTable } from './generatedTable.js';

const markOf = (what: string): string =>
  `<!-- ${what}: made by \`npm run docs:calls\`, not by hand -->`;

/** The calls and files of each portal. */
const OF_PORTALS = Object.entries(PORTALS).map(
  ([side, { calls, files }]): [string, (PartnerCall | PartnerFile)[]] => [
    side,
    [...calls, ...files],
  ],
);

const RULES = ['Fresh sign-in', 'Recorded', 'Lets out', 'Security log'];

export function withCalls(page: string): string {
  const actions = tableOf(
    ['Action', 'Permission', 'Also needs', 'Roles', ...RULES],
    REGISTRY.map(actionRow),
  );
  const calls = tableOf(
    ['Call', 'Portal', 'Role', 'Where allowed', ...RULES],
    [...new Set(OF_PORTALS.flatMap(([, own]) => own))].map(callRow),
  );
  const withActions = withTable(page, markOf('actions'), '<!-- end of actions -->', actions);
  return withTable(withActions, markOf('calls'), '<!-- end of calls -->', calls);
}

const actionRow = (action: Action): string[] => [
  code(action.name),
  code(action.permission),
  furtherOf(action),
  ORG_ROLES.filter((role) => mayRun(action, memberAs(role))).join(', '),
  ...rulesRow(action),
];

function furtherOf(action: Action): string {
  const { alsoNeeds, shows } = action;
  const parts = [
    alsoNeeds && `${code(alsoNeeds.permission)} where ${alsoNeeds.when}`,
    action.gives && 'every permission that it gives',
    shows && `${code(shows.permission)} for ${shows.parts.map(code).join(', ')}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

const memberAs = (role: OrgRole) => {
  const { permissions, seesNoPeople } = rightsOf(role);
  const person = { id: 'person', name: 'Person', membership_id: 'member' };
  const actor = { kind: 'person', ...person, is_fresh: false, seesNoPeople } as const;
  return { org_id: 'org', actor, permissions };
};

function callRow(call: PartnerCall | PartnerFile): string[] {
  const [freshness, recorded, ...rest] = rulesRow(call);
  const isFile = 'rows' in call;
  return [
    code(call.name),
    OF_PORTALS.filter(([, own]) => own.includes(call))
      .map(([side]) => side)
      .join(', '),
    call.needs ?? 'viewer, admin',
    code(call.permits ?? ''),
    freshness ?? '',
    isFile ? 'read' : (recorded ?? ''),
    ...rest,
  ];
}

function rulesRow(call: Definition): string[] {
  const { fresh_sign_in, recorded, lets_out } = rulesOf(call);
  const kinds = (['changes', 'reads'] as const).filter((kind) => recorded[kind] !== 'never');
  const told = kinds.map((kind) => {
    const word = kind === 'changes' ? 'change' : 'read';
    return recorded[kind] === 'sometimes' ? `${word}, sometimes` : word;
  });
  return [
    fresh_sign_in,
    told.join('; ') || 'no',
    lets_out.map(({ kind, when }) => (when === null ? kind : `${kind} where ${when}`)).join('; '),
    code(call.guards ?? ''),
  ];
}
