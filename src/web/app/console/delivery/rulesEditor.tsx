/** The rules as rows: when an answer accepts, when it refuses, and where its reason, reference and price are. */
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Field, IconButton, Select } from '../../ui/index.js';
import {
  KINDS,
  needsPath,
  needsValue,
  type ConditionDraft,
  type PathName,
  type RuleDraft,
  type RuleName,
  type RulesDraft,
} from './rules.js';

interface RulesEditorProps {
  draft: RulesDraft;
  onChange(draft: RulesDraft): void;
}

const PATHS: readonly [name: PathName, label: string][] = [
  ['reference_path', 'Path to the reference'],
  ['reason_path', 'Path to the reason'],
  ['price_path', 'Path to the price'],
];

export function RulesEditor({ draft, onChange }: RulesEditorProps): ReactNode {
  const rule = (name: RuleName, title: string, none: string): ReactNode => (
    <RuleRows
      name={name}
      title={title}
      none={none}
      rule={draft[name]}
      onChange={(next) => onChange({ ...draft, [name]: next })}
    />
  );
  return (
    <>
      {rule('accept_when', 'Accepted when', 'No rule: a 2xx status accepts the lead.')}
      {rule('reject_when', 'Rejected when', 'No rule: the HTTP status decides.')}
      <fieldset className="answer-paths">
        <legend>Values to keep</legend>
        {PATHS.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            name={`response.${name}`}
            dir="ltr"
            maxLength={201}
            placeholder="result.id"
            value={draft[name]}
            onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
          />
        ))}
      </fieldset>
    </>
  );
}

interface RuleRowsProps {
  name: RuleName;
  title: string;
  /** What applies without a condition. */
  none: string;
  rule: RuleDraft;
  onChange(rule: RuleDraft): void;
}

const NEW: ConditionDraft = { kind: 'equals', path: '', value: '' };

function RuleRows({ name, title, none, rule, onChange }: RuleRowsProps): ReactNode {
  const { join, conditions } = rule;
  const set = (next: readonly ConditionDraft[]): void => onChange({ join, conditions: next });
  return (
    <fieldset className="rule-rows">
      <legend>{title}</legend>
      {conditions.length === 0 && <p className="muted">{none}</p>}
      {conditions.length > 1 && (
        <Select
          label="Of these conditions"
          name={`response.${name}.join`}
          value={join}
          options={[
            { value: 'any', label: 'one must hold' },
            { value: 'all', label: 'all must hold' },
          ]}
          onChange={({ target }) =>
            onChange({ join: target.value === 'all' ? 'all' : 'any', conditions })
          }
        />
      )}
      {conditions.map((condition, n) => (
        <ConditionRow
          // Rows have no name of their own, and keep what is typed above them.
          key={n}
          path={`response.${name}.${n}`}
          of={`${title}, condition ${n + 1}`}
          condition={condition}
          onChange={(next) => set(conditions.with(n, next))}
          onRemove={() => set(conditions.toSpliced(n, 1))}
        />
      ))}
      <div className="actions">
        <Button kind="quiet" onClick={() => set([...conditions, NEW])}>
          <Plus size={16} aria-hidden /> Add a condition
          <span className="hidden"> to {title}</span>
        </Button>
      </div>
    </fieldset>
  );
}

interface ConditionRowProps {
  path: string;
  /** Names the row, for its buttons. */
  of: string;
  condition: ConditionDraft;
  onChange(condition: ConditionDraft): void;
  onRemove(): void;
}

function ConditionRow({ path, of, condition, onChange, onRemove }: ConditionRowProps): ReactNode {
  const { kind } = condition;
  const kindOf = (value: string) => KINDS.find((one) => one.value === value)?.value ?? kind;
  return (
    <div className="condition-row" role="group" aria-label={of}>
      {needsPath(kind) && (
        <Field
          label="Path"
          name={`${path}.path`}
          dir="ltr"
          required
          maxLength={201}
          placeholder="result.status"
          value={condition.path}
          onChange={({ target }) => onChange({ ...condition, path: target.value })}
        />
      )}
      <Select
        label="Test"
        name={`${path}.kind`}
        options={KINDS}
        value={kind}
        onChange={({ target }) =>
          onChange({ ...condition, kind: kindOf(target.value), saved: undefined })
        }
      />
      {needsValue(kind) && (
        <Field
          label={kind === 'in' || kind === 'status' ? 'Values, separated by commas' : 'Value'}
          name={`${path}.value`}
          required
          maxLength={500}
          value={condition.value}
          onChange={({ target }) => onChange({ ...condition, value: target.value })}
        />
      )}
      <IconButton icon={Trash2} label={`Remove ${of}`} onClick={onRemove} />
    </div>
  );
}
