import type { FilterSpec } from '../../ui/data/index.js';
import { useSession } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import { actionWords } from './auditWords.js';

export const AUDIT_FILTERS = ['of', 'days', 'by', 'action', 'record_id'] as const;

const fits = (search: string) => {
  const text = search.trim().toLowerCase();
  return ({ label }: { label: string }) => label.toLowerCase().includes(text);
};

/** People and keys that may have called. */
function useActors(): { value: string; label: string }[] | null {
  const members = useCall('list_members', {});
  const keys = useCall('list_api_keys', { limit: 50 });
  if (!members.data || !keys.data) return null;
  return [
    ...members.data
      .filter(({ state }) => state === 'active')
      .map(({ id, name, email }) => ({ value: id, label: name ?? email })),
    ...keys.data.map(({ id, name }) => ({ value: id, label: `Key ${name}` })),
    { value: 'operator', label: 'Operators of the installation' },
  ];
}

/** Outside of components: their hooks are called in the same order each time. */
export const AUDIT_FILTER_BAR: readonly FilterSpec<(typeof AUDIT_FILTERS)[number]>[] = [
  {
    name: 'of',
    label: 'Show',
    kind: 'choice',
    isPinned: true,
    options: [
      { value: 'changes', label: 'Changes' },
      { value: 'reads', label: 'Reads of personal data' },
    ],
  },
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
  {
    name: 'by',
    label: 'By',
    kind: 'record',
    isPinned: true,
    useOptions(search) {
      const actors = useActors();
      return { options: actors?.filter(fits(search)) ?? [], isLoading: actors === null };
    },
    useLabel: (value) => useActors()?.find((actor) => actor.value === value)?.label,
  },
  {
    name: 'action',
    label: 'Action',
    kind: 'record',
    isPinned: true,
    useOptions(search) {
      const { calls } = useSession().me;
      const options = calls.map((value) => ({ value, label: actionWords(value) }));
      return { options: options.filter(fits(search)), isLoading: false };
    },
    useLabel: actionWords,
  },
  { name: 'record_id', label: 'Record', kind: 'text', placeholder: 'Id of a lead, a buyer…' },
];
