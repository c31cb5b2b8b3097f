import { useState, type ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import type { InputOf, OutputOf } from '../../lib/useActions.js';
import { Button, Dialog, Form, Select } from '../../ui/index.js';
import { BulkBar } from '../../ui/data/index.js';
import { BulkDialog, type BulkWords } from '../bulk/bulkDialog.js';
import { ACT_WORDS } from '../bulk/deliveryWords.js';
import type { Bulk, BulkAnswer, BulkRow } from '../bulk/useBulk.js';
import { useDeliveryActs } from '../bulk/useDeliveryActs.js';
import { useReadAgain, useStep } from '../bulk/useStep.js';
import { RETURN_OPTIONS } from './words.js';

interface LeadActsProps {
  selected: ReadonlySet<string>;
  onClear(): void;
}

/** What can be done with the leads that are selected, each after a look at what would happen. */
export default function LeadActs({ selected, onClear }: LeadActsProps): ReactNode {
  const canReturn = useCan('request_returns');
  const canResend = useCan('retry_deliveries');
  const readAgain = useReadAgain();
  const done = (): void => {
    onClear();
    readAgain();
  };
  return (
    <BulkBar count={selected.size} onClear={onClear}>
      {canResend && <ResendButton leadIds={[...selected]} onDone={done} />}
      {canReturn && <ReturnButton leadIds={[...selected]} onDone={done} />}
    </BulkBar>
  );
}

interface ActProps {
  leadIds: readonly string[];
  onDone(): void;
}

type Reason = InputOf<'request_returns'>['reason'];
type ReturnRow = OutputOf<'request_returns'>['report'][number];

function ReturnButton({ leadIds, onDone }: ActProps): ReactNode {
  const [step, setStep] = useState<'closed' | 'asking' | Reason>('closed');
  const request = useStep('request_returns');
  const close = (): void => setStep('closed');
  const title = `Request returns of ${leadIds.length} leads`;
  const bulkFor = (reason: Reason): Bulk<ReturnRow> => ({
    ids: leadIds,
    keyOf: ({ lead_id }) => lead_id,
    check: () => request.run({ lead_ids: [...leadIds], reason, dry_run: true }),
    carryOut: (ids) => request.run({ lead_ids: [...ids], reason }),
    error: request.error,
  });
  return (
    <>
      <Button onClick={() => setStep('asking')}>Request returns</Button>
      {step === 'asking' && (
        <Dialog title={title} isOpen onClose={close}>
          <Form
            submit="See what would happen"
            onSubmit={(values) => setStep(formText(values, 'reason') as Reason)}
          >
            <Select label="Reason" name="reason" options={RETURN_OPTIONS} />
          </Form>
        </Dialog>
      )}
      {step !== 'asking' && step !== 'closed' && (
        <BulkDialog
          words={{ ...RETURN_WORDS, title }}
          bulk={bulkFor(step)}
          onClose={close}
          onDone={onDone}
        />
      )}
    </>
  );
}

const returns = (count: string, isOne: boolean): string =>
  `${count} ${isOne ? 'return' : 'returns'}`;

const RETURN_WORDS: Omit<BulkWords, 'title'> = {
  act: 'Request',
  will: (...of) => `${returns(...of)} will be requested`,
  did: (...of) => `${returns(...of)} requested`,
  cannot: {
    refused: 'cannot be returned',
    not_found: 'cannot be returned',
    failed: 'could not be confirmed: check them, and repeat the request',
  },
  about: 'You decide them under Returns.',
};

/** Each lead's delivery that waits is sent now; there is one at most. */
function ResendButton({ leadIds, onDone }: ActProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const list = useStep('list_deliveries');
  const { run, error } = useDeliveryActs();
  const check = async (): Promise<BulkAnswer<ResendRow> | null> => {
    const waiting: string[] = [];
    const idle: ResendRow[] = [];
    for (const lead_id of leadIds) {
      const rows = await list.run({ lead_id, state: 'waiting', limit: 1 });
      if (!rows) return null;
      const [delivery] = rows;
      if (delivery) waiting.push(delivery.id);
      else idle.push({ lead_id, ...IDLE });
    }
    if (waiting.length === 0) return { report: idle };
    const tried = await run('retry', { delivery_ids: waiting, dry_run: true });
    return tried && { report: [...(tried.report ?? []), ...idle] };
  };
  const bulk: Bulk<ResendRow> = {
    ids: leadIds,
    keyOf: ({ delivery_id }) => delivery_id,
    check,
    carryOut: (ids, { note }) => run('retry', { delivery_ids: [...ids], note: note || undefined }),
    error: list.error ?? error,
  };
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Resend</Button>
      {isOpen && (
        <BulkDialog
          words={{ ...RESEND_WORDS, title: `Resend ${leadIds.length} leads` }}
          bulk={bulk}
          onClose={() => setIsOpen(false)}
          onDone={onDone}
        />
      )}
    </>
  );
}

type ResendRow = BulkRow & { delivery_id: string | null };

const IDLE = { delivery_id: null, result: 'idle', message: 'No delivery of it waits.' };

const RESEND_WORDS: BulkWords = {
  ...ACT_WORDS.retry,
  cannot: { ...ACT_WORDS.retry.cannot, idle: 'have no delivery that waits' },
};
