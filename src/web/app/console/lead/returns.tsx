import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { formText } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import { useWrite, type InputOf } from '../../lib/useActions.js';
import { Facts, FormButton, Select, TextArea, Time, useToast, Written } from '../../ui/index.js';
import { shortId, shown } from './person.js';
import {
  REASON_OPTIONS,
  REASONS,
  ReturnState,
  type Lead,
  type Return,
  type Sale,
} from './words.js';

/** A request to return the lead, and its decision. */
export function ReturnCard({ of }: { of: Return }): ReactNode {
  const [note, reply] = [shown(of.note), shown(of.resolution_note)];
  return (
    <article className="card">
      <header className="section-head">
        <h3>
          Return <ReturnState of={of.state} />
        </h3>
        {of.state === 'requested' && <Decision of={of} />}
      </header>
      <Facts
        facts={[
          ['Reason', REASONS[of.reason]],
          ['Requested', <Time at={of.requested_at} />],
          ['Note', note !== null && <Written>{note}</Written>],
          [
            'Accepted automatically',
            of.state === 'requested' && of.auto_accept_at !== null && (
              <Time at={of.auto_accept_at} />
            ),
          ],
          ['Decided', of.resolved_at !== null && <Time at={of.resolved_at} />],
          ['Decision', reply !== null && <Written>{reply}</Written>],
          [
            'Sold again as',
            of.resale_lead_id !== null && (
              <Link href={`/leads/${of.resale_lead_id}`}>{shortId(of.resale_lead_id)}</Link>
            ),
          ],
          ['Not sold again', of.resale_refused],
        ]}
      />
    </article>
  );
}

function Decision({ of }: { of: Return }): ReactNode {
  const may = useCan('resolve_return');
  const resolve = useWrite('resolve_return');
  const toast = useToast();
  const { money } = useFormats();
  if (!may) return null;
  const run = (result: 'accept' | 'reject') => (values: FormData) =>
    resolve.run({ return_id: of.id, result, note: formText(values, 'note') || null });
  const note = <TextArea label="Note" name="note" maxLength={2000} rows={2} />;
  return (
    <div className="actions">
      <FormButton
        button="Accept"
        label="Accept the return"
        kind="primary"
        title="Accept this return?"
        submit="Accept the return"
        write={resolve}
        run={run('accept')}
        onDone={() => toast('The return is accepted.')}
      >
        <p>
          The charge of <bdi>{of.buyer_name ?? 'the buyer'}</bdi> falls from{' '}
          {money(of.revenue ?? 0)} to {money(0)}.
          {of.reverse_cost
            ? ' The supplier is not paid for it.'
            : ' The supplier keeps its payment.'}
          {of.resell && ' The lead is sold again.'} This cannot be undone.
        </p>
        {note}
      </FormButton>
      <FormButton
        button="Reject"
        label="Reject the return"
        title="Reject this return?"
        submit="Reject the return"
        write={resolve}
        run={run('reject')}
        onDone={() => toast('The return is rejected: the sale stands.')}
      >
        <p>The sale stands, and the return no longer counts in its month. This cannot be undone.</p>
        {note}
      </FormButton>
    </div>
  );
}

/** Asks for a return in the name of the buyer. */
export function RequestReturn({ lead, sale }: { lead: Lead; sale: Sale }): ReactNode {
  const may = useCan('request_return');
  const request = useWrite('request_return');
  const toast = useToast();
  if (!may) return null;
  return (
    <div className="actions">
      <FormButton
        button="Request a return"
        title="Request a return?"
        submit="Request the return"
        write={request}
        run={(values) =>
          request.run({
            lead_id: lead.id,
            buyer_id: sale.buyer_id,
            reason: formText(values, 'reason') as InputOf<'request_return'>['reason'],
            note: formText(values, 'note') || null,
          })
        }
        onDone={({ state }) =>
          toast(
            state === 'requested' ? 'The return waits for a decision.' : `The return is ${state}.`,
          )
        }
      >
        <p>
          In the name of <bdi>{sale.buyer_name ?? 'the buyer'}</bdi>, within its limits for returns.
          Nothing changes until it is accepted.
        </p>
        <Select label="Reason" name="reason" options={REASON_OPTIONS} />
        <TextArea label="Note" name="note" maxLength={2000} rows={2} />
      </FormButton>
    </div>
  );
}
