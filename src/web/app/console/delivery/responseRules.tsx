/** Reads a pasted answer by the buyer's rules while they are edited, and saves them once they read it right. */
import { useState, type ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { notSent } from '../../lib/api.js';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite, type OutputOf } from '../../lib/useActions.js';
import { Button, ErrorState, Notice, TextArea, useToast, Form } from '../../ui/index.js';
import type { BuyerTabProps } from '../parties/words.js';
import { AnswerFields, answerIn } from './answerFields.js';
import { Reading } from './reading.js';
import { draftOf, rulesOf, type AnswerText, type Rules, type RulesDraft } from './rules.js';
import { RulesEditor } from './rulesEditor.js';

type ReadAnswer = NonNullable<OutputOf<'test_delivery'>['reading']>;

/** As rows, or, where they are nested deeper, as JSON. */
type Draft = RulesDraft | string;

const draftFrom = (saved: unknown): Draft => draftOf(saved) ?? JSON.stringify(saved, null, 2);

/** @throws {ApiError} for a text that is no JSON */
function readDraft(draft: Draft): Rules | null {
  if (typeof draft !== 'string') return rulesOf(draft);
  try {
    return draft.trim() === '' ? null : (JSON.parse(draft) as Rules);
  } catch {
    throw notSent('response', 'This is not valid JSON.');
  }
}

export function ResponseRules({ buyer }: BuyerTabProps): ReactNode {
  const saved = buyer.delivery.response ?? null;
  const [{ answer: deliveryId }] = useFilters(['answer']);
  const past = useCall(
    'get_delivery',
    { delivery_id: deliveryId ?? '' },
    { isOff: deliveryId === undefined },
  );
  // What was read when the editing began: saving compares with it.
  const [base, setBase] = useState<unknown>(saved);
  const [draft, setDraft] = useState<Draft>(() => draftFrom(saved));
  const [answer, setAnswer] = useState({ status: '200', headers: '', body: '' });
  const [taken, setTaken] = useState<string | null>(null);
  if (past.data && taken !== past.data.id) {
    setTaken(past.data.id);
    const { http_status, answer: body } = past.data;
    setAnswer({ status: String(http_status ?? 200), headers: '', body: body ?? '' });
  }
  const start = (from: unknown): void => {
    setBase(from);
    setDraft(draftFrom(from));
  };
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftFrom(base));
  return (
    <div className="rules-work">
      <Test buyer={buyer} draft={draft} answer={answer} onAnswer={setAnswer} onDraft={setDraft} />
      <Save
        buyer={buyer}
        base={base}
        saved={saved}
        draft={draft}
        isChanged={isChanged}
        onStart={start}
      />
    </div>
  );
}

interface TestProps extends BuyerTabProps {
  draft: Draft;
  answer: AnswerText;
  onAnswer(answer: AnswerText): void;
  onDraft(draft: Draft): void;
}

function Test({ buyer, draft, answer, onAnswer, onDraft }: TestProps): ReactNode {
  const test = useWrite('test_delivery');
  const [reading, setReading] = useState<ReadAnswer | null>(null);
  const run = async (): Promise<void> => {
    const found = await test.run({
      buyer_id: buyer.id,
      answer: answerIn(answer),
      response: readDraft(draft),
    });
    setReading(found?.reading ?? null);
  };
  const change = (next: Draft): void => {
    setReading(null);
    onDraft(next);
  };
  return (
    <Form submit="Read the answer" write={test} onSubmit={run}>
      <p>
        Paste an answer of the buyer, and see what these rules make of it. Nothing is saved or sent.
      </p>
      <AnswerFields
        answer={answer}
        onChange={(next) => {
          setReading(null);
          onAnswer(next);
        }}
        draft={typeof draft === 'string' ? null : draft}
        onDraft={change}
      />
      {typeof draft === 'string' ? (
        <TextArea
          label="Rules as JSON"
          name="response"
          dir="ltr"
          rows={12}
          spellCheck={false}
          value={draft}
          hint="These rules are nested, so they are edited as JSON."
          onChange={({ target }) => change(target.value)}
        />
      ) : (
        <RulesEditor draft={draft} onChange={change} />
      )}
      {reading && <Reading reading={reading} />}
    </Form>
  );
}

interface SaveProps extends BuyerTabProps {
  base: unknown;
  /** As the buyer has them now. */
  saved: unknown;
  draft: Draft;
  isChanged: boolean;
  onStart(from: unknown): void;
}

function Save({ buyer, base, saved, draft, isChanged, onStart }: SaveProps): ReactNode {
  const may = useCan('set_buyer_delivery');
  const set = useWrite('set_buyer_delivery');
  const [fault, setFault] = useState<Error | null>(null);
  const toast = useToast();
  const isOther = JSON.stringify(saved) !== JSON.stringify(base);
  const save = async (expected: unknown): Promise<void> => {
    setFault(null);
    try {
      const response = readDraft(draft);
      const done = await set.run({
        buyer_id: buyer.id,
        response,
        expected: { response: expected },
      });
      if (!done) return;
      onStart(done.delivery.response ?? null);
      toast('The response rules were saved. They read the next answer.');
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      setFault(error);
    }
  };
  if (!may) return null;
  const error = fault ?? (isOther ? null : set.error);
  return (
    <>
      {isOther && (
        <Notice
          tone="warning"
          title="Somebody else has changed these rules since you began"
          action={
            <Button
              onClick={() => {
                set.reset();
                onStart(saved);
              }}
            >
              Use theirs
            </Button>
          }
        >
          <pre className="setting-json">
            {saved === null ? 'No rules' : JSON.stringify(saved, null, 2)}
          </pre>
        </Notice>
      )}
      {error && <ErrorState error={error} />}
      <div className="actions">
        <Button
          kind="primary"
          disabled={!isChanged}
          isBusy={set.isRunning}
          onClick={() => void save(isOther ? saved : base)}
        >
          {isOther ? 'Save mine instead' : 'Save the rules'}
        </Button>
        {isChanged && <Button onClick={() => onStart(saved)}>Discard changes</Button>}
      </div>
    </>
  );
}
