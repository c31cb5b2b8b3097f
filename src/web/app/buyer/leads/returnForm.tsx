import type { ReactNode } from 'react';
import { useCall, useWrite, type InputOf, type SaleDetail } from '../calls.js';
import { ConfirmedForm, Loaded, Select, TextArea, useToast } from '../../ui/index.js';
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
      <RequestForm leadId={sale.lead_id} />
    </>
  );
}

function RequestForm({ leadId }: { leadId: string }): ReactNode {
  const request = useWrite('request_return');
  const toast = useToast();
  const read = (values: FormData): Request => ({
    lead_id: leadId,
    reason: formText(values, 'reason') as Request['reason'],
    note: formText(values, 'note') || null,
  });
  return (
    <ConfirmedForm
      submit="Return lead"
      title="Return this lead?"
      act="Request return"
      write={request}
      read={read}
      run={request.run}
      summary={({ reason }) => (
        <p>Reason: {reasonName(reason)}. The seller decides; a request cannot be withdrawn.</p>
      )}
      onDone={() => toast('The return was requested. The seller decides.')}
    >
      <Select label="Reason" name="reason" options={REASON_OPTIONS} />
      <TextArea
        label="Details"
        name="note"
        hint="Shown to the seller, who decides"
        maxLength={2000}
        rows={3}
      />
    </ConfirmedForm>
  );
}
