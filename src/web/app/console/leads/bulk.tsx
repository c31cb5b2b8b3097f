import { useState, type ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import { useWrite, type InputOf, type OutputOf } from '../../lib/useActions.js';
import { Button, Dialog, ErrorState, Form, Select, Table, useToast, type Column } from '../../ui/index.js';
import { BulkBar } from '../../ui/data/index.js';
import { RETURN_OPTIONS } from './words.js';

interface LeadActsProps {
  selected: ReadonlySet<string>;
  onClear(): void;
}

/** What can be done with the leads that are selected, each after a look at what would happen. */
export function LeadActs({ selected, onClear }: LeadActsProps): ReactNode {
  const canReturn = useCan('request_returns');
  const canResend = useCan('retry_deliveries');
  return (
    <BulkBar count={selected.size} onClear={onClear}>
      {canResend && <ResendButton leadIds={[...selected]} onDone={onClear} />}
      {canReturn && <ReturnButton leadIds={[...selected]} onDone={onClear} />}
    </BulkBar>
  );
}

interface ActProps {
  leadIds: readonly string[];
  onDone(): void;
}

type Report = OutputOf<'request_returns'>;

function ReturnButton({ leadIds, onDone }: ActProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [plan, setPlan] = useState<{ input: InputOf<'request_returns'>; report: Report } | null>(
    null,
  );
  const write = useWrite('request_returns');
  const toast = useToast();
  const close = (): void => {
    write.reset();
    setPlan(null);
    setIsOpen(false);
  };
  const look = async (values: FormData): Promise<void> => {
    const reason = formText(values, 'reason') as InputOf<'request_returns'>['reason'];
    const input = { lead_ids: [...leadIds], reason };
    const report = await write.run({ ...input, dry_run: true });
    if (report) setPlan({ input, report });
  };
  const act = async (): Promise<void> => {
    const done = plan && (await write.run(plan.input));
    if (!done) return;
    close();
    onDone();
    toast(`${done.done} returns requested${refusedText(done.refused)}.`);
  };
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Request returns</Button>
      <Dialog title={`Request returns of ${leadIds.length} leads`} isOpen={isOpen} onClose={close}>
        {plan ? (
          <Form
            write={write}
            submit={`Request ${plan.report.done} returns`}
            onSubmit={act}
            actions={<Button onClick={() => setPlan(null)}>Back</Button>}
          >
            <p>
              {plan.report.done} returns will be requested{refusedText(plan.report.refused)}. You
              decide them under Returns.
            </p>
            <Refusals
              rows={plan.report.report.flatMap(({ lead_id, message }) =>
                message === null ? [] : [{ id: lead_id ?? '', message }],
              )}
            />
          </Form>
        ) : (
          <Form write={write} submit="See what would happen" onSubmit={look}>
            <Select label="Reason" name="reason" options={RETURN_OPTIONS} />
          </Form>
        )}
      </Dialog>
    </>
  );
}

interface Outlook {
  ready: readonly string[];
  refusals: readonly Refusal[];
}

/** Each lead's delivery that waits is sent now; there is one at most. */
function ResendButton({ leadIds, onDone }: ActProps): ReactNode {
  const [outlook, setOutlook] = useState<Outlook | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const write = useWrite('retry_deliveries');
  const list = useWrite('list_deliveries');
  const toast = useToast();
  const close = (): void => {
    write.reset();
    setOutlook(null);
    setIsOpen(false);
  };
  const look = async (): Promise<void> => {
    const found = [];
    for (const lead_id of leadIds) {
      const rows = await list.run({ lead_id, state: 'waiting', limit: 1 });
      if (!rows) return;
      found.push({ lead_id, delivery: rows[0] });
    }
    const ids = found.flatMap(({ delivery }) => delivery?.id ?? []);
    const idle = found
      .filter(({ delivery }) => !delivery)
      .map(({ lead_id }) => ({ id: lead_id, message: 'No delivery of it waits.' }));
    const report = ids.length > 0 ? await write.run({ delivery_ids: ids, dry_run: true }) : null;
    if (ids.length > 0 && !report) return;
    const rows = report?.report ?? [];
    const refused = rows.filter(({ message }) => message !== null);
    const isRefused = new Set(refused.map(({ delivery_id }) => delivery_id));
    setOutlook({
      ready: ids.filter((id) => !isRefused.has(id)),
      refusals: [
        ...idle,
        ...refused.map(({ lead_id, message }) => ({ id: lead_id ?? '', message: message ?? '' })),
      ],
    });
  };
  const act = async (): Promise<void> => {
    const done = outlook && (await write.run({ delivery_ids: [...outlook.ready] }));
    if (!done) return;
    close();
    onDone();
    toast(`${done.rows} deliveries are sent now.`);
  };
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Resend</Button>
      <Dialog title={`Resend ${leadIds.length} leads`} isOpen={isOpen} onClose={close}>
        {outlook ? (
          <>
            <p>
              {outlook.ready.length} waiting deliveries will be sent now
              {refusedText(outlook.refusals.length)}.
            </p>
            <Refusals rows={outlook.refusals} />
            {write.error && <ErrorState error={write.error} />}
            {outlook.ready.length > 0 && (
              <Button kind="primary" isBusy={write.isRunning} onClick={() => void act()}>
                Resend {outlook.ready.length}
              </Button>
            )}
          </>
        ) : (
          <Form write={list} submit="See what would happen" onSubmit={look}>
            <p>Sends what waits for a buyer now, instead of at its next attempt.</p>
          </Form>
        )}
      </Dialog>
    </>
  );
}

const refusedText = (count: number): string => (count > 0 ? `; ${count} cannot` : '');

interface Refusal {
  id: string;
  message: string;
}

const COLUMNS: readonly Column<Refusal>[] = [
  { header: 'Lead', cell: ({ id }) => <code>{id.slice(0, 8)}</code> },
  { header: 'Why not', cell: ({ message }) => message },
];

const Refusals = ({ rows }: { rows: readonly Refusal[] }): ReactNode => (
  <Table
    caption="Left as they are"
    rows={rows}
    columns={COLUMNS}
    rowKey={({ id }) => id}
    empty={null}
  />
);
