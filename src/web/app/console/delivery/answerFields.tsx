/** The pasted answer; its values become conditions by a click. */
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { notSent } from '../../lib/api.js';
import { Button, Field, Menu, Table, TextArea } from '../../ui/index.js';
import { leavesOf, withLeaf, type Leaf, type AnswerText, type PathName, type RulesDraft } from './rules.js';

interface AnswerFieldsProps {
  answer: AnswerText;
  onChange(answer: AnswerText): void;
  /** Null: the rules are edited as JSON. */
  draft: RulesDraft | null;
  onDraft(draft: RulesDraft): void;
}

export function AnswerFields(props: AnswerFieldsProps): ReactNode {
  const { answer, onChange, draft, onDraft } = props;
  return (
    <>
      <div className="answer-fields">
        <Field
          label="HTTP status"
          name="answer.status"
          inputMode="numeric"
          required
          value={answer.status}
          onChange={({ target }) => onChange({ ...answer, status: target.value })}
        />
        <TextArea
          label="Headers"
          name="answer.headers"
          dir="ltr"
          rows={2}
          spellCheck={false}
          value={answer.headers}
          placeholder="retry-after: 30"
          onChange={({ target }) => onChange({ ...answer, headers: target.value })}
        />
      </div>
      <TextArea
        label="Body of the answer"
        name="answer.body"
        dir="ltr"
        rows={6}
        spellCheck={false}
        maxLength={100_000}
        value={answer.body}
        onChange={({ target }) => onChange({ ...answer, body: target.value })}
      />
      {draft && <Leaves leaves={leavesOf(answer.body)} draft={draft} onDraft={onDraft} />}
    </>
  );
}

interface LeavesProps extends Pick<AnswerFieldsProps, 'onDraft'> {
  leaves: readonly Leaf[];
  draft: RulesDraft;
}

/** What the answer has: each value can be tested, or taken as the reason, the reference or the price. */
function Leaves({ leaves, draft, onDraft }: LeavesProps): ReactNode {
  if (leaves.length === 0) return null;
  const take = (name: PathName, path: string) => (): void => onDraft({ ...draft, [name]: path });
  return (
    <Table
      caption="Values in the answer"
      rows={leaves}
      rowKey={({ path }) => path}
      empty={null}
      columns={[
        { header: 'Path', cell: ({ path }) => <code>{path}</code> },
        { header: 'Value', cell: ({ value }) => <code dir="auto">{JSON.stringify(value)}</code> },
        {
          header: 'Use it',
          cell: (leaf) => (
            <Menu
              trigger={
                <Button kind="quiet" aria-label={`Use ${leaf.path}`}>
                  <Plus size={16} aria-hidden /> Use
                </Button>
              }
              items={[
                {
                  label: `Accepted when it is ${JSON.stringify(leaf.value)}`,
                  run: () => onDraft(withLeaf(draft, 'accept_when', leaf)),
                },
                {
                  label: `Rejected when it is ${JSON.stringify(leaf.value)}`,
                  run: () => onDraft(withLeaf(draft, 'reject_when', leaf)),
                },
                { label: 'It is the reference', run: take('reference_path', leaf.path) },
                { label: 'It is the reason', run: take('reason_path', leaf.path) },
                { label: 'It is the price', run: take('price_path', leaf.path) },
              ]}
            />
          ),
        },
      ]}
    />
  );
}

/** @throws {ApiError} for a status that is no number, or a header without a name */
export function answerIn({ status, headers, body }: AnswerText) {
  if (!/^\d{3}$/.test(status.trim()))
    throw notSent('answer.status', 'The status is a number of three digits, such as 200.');
  const read: Record<string, string> = {};
  for (const line of headers.split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf(':');
    if (at < 1)
      throw notSent('answer.headers', `"${line.slice(0, 80)}" is not in the form Name: value.`);
    read[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return { status: Number(status), headers: read, body };
}
