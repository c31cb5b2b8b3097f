import { useState, type ReactNode } from 'react';
import { useCall, useWrite, type InputOf, type SaleDetail } from '../calls.js';
import { Confirm, Form, Loaded, Select, TextArea, useToast } from '../../ui/index.js';
import { formText } from '../../lib/formValues.js';
import { AllowanceText } from '../returns/allowance.js';
import { reasonName, REASON_OPTIONS } from '../words.js';

type Request = InputOf<'request_return'>;

/** Returns a lead, while the terms and the month allow it. */
export function ReturnForm({ sale }: { sale: SaleDetail }): ReactNode {
  const allowance = useCall('get_return_allowance', {});
  if (sale.return_refusal !== null) return <p className="muted">{sale.return_refusal}</p>;
  return (
    <>
      <Loaded of={allowance}>{(data) => <AllowanceText of={data} />}</Loaded>
      <Asking leadId={sale.lead_id} />
    </>
  );
}

function Asking({ leadId }: { leadId: string }): ReactNode {
  const request = useWrite('request_return');
  const toast = useToast();
  const [asked, setAsked] = useState<Request | null>(null);
  const read = (values: FormData): void => {
    const reason = formText(values, 'reason') as Request['reason'];
    setAsked({ lead_id: leadId, reason, note: formText(values, 'note') || null });
  };
  const confirm = async (): Promise<void> => {
    if (!asked) return;
    const done = await request.run(asked);
    setAsked(null);
    if (done) toast('The return was requested. The seller decides.');
  };
  return (
    <>
      <Form onSubmit={read} write={request} submit="Return lead">
        <Select label="Reason" name="reason" options={REASON_OPTIONS} />
        <TextArea
          label="Details"
          name="note"
          hint="Shown to the seller, who decides"
          maxLength={2000}
          rows={3}
        />
      </Form>
      <Confirm
        title="Return this lead?"
        act="Request return"
        isOpen={asked !== null}
        isBusy={request.isRunning}
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        <p>
          Reason: {asked && reasonName(asked.reason)}. The seller decides; a request cannot be
          withdrawn.
        </p>
      </Confirm>
    </>
  );
}
