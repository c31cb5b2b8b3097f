import type { ReactNode } from 'react';
import { ChangeTable } from '../../buyer/terms/values.js';
import { formText } from '../../lib/formValues.js';
import {
  Dialog,
  Facts,
  Form,
  TextArea,
  Time,
  useToast,
  Written,
  type Fact,
} from '../../ui/index.js';
import { useWrite } from '../../lib/useActions.js';
import type { ChangeRequest } from '../parties/types.js';

interface ChangeDialogProps {
  /** Null: closed. */
  request: ChangeRequest | null;
  mayDecide: boolean;
  onClose(): void;
}

/** One request, before and after; with the decision while it waits. */
export function ChangeDialog({ request, mayDecide, onClose }: ChangeDialogProps): ReactNode {
  return (
    <Dialog title="Change request" isOpen={request !== null} onClose={onClose}>
      {request && (
        <>
          <ChangeTable changes={request.changes} />
          <Facts facts={factsOf(request)} />
          {mayDecide && request.state === 'pending' && (
            <Decision request={request} onClose={onClose} />
          )}
        </>
      )}
    </Dialog>
  );
}

const written = (text: string | null | undefined): ReactNode =>
  text != null && <Written>{text}</Written>;

const factsOf = (request: ChangeRequest): Fact[] => [
  ['Partner', written(request.party.name)],
  ['Campaign', written(request.campaign?.name)],
  ['Requested by', written(request.requested_by.name)],
  ['Requested', <Time at={request.requested_at} />],
  ['Reason', written(request.reason)],
  ['Decided by', written(request.resolved_by?.name)],
  ['Decided', request.resolved_at && <Time at={request.resolved_at} />],
  ['Note', written(request.note)],
];

/** Another person may have decided meanwhile: then the service answers who and when, and changes nothing. */
function Decision({ request, onClose }: { request: ChangeRequest; onClose(): void }): ReactNode {
  const resolve = useWrite('resolve_change_request');
  const toast = useToast();
  const decide = async (values: FormData): Promise<void> => {
    const result = values.get('act') === 'approve' ? 'approve' : 'refuse';
    const note = formText(values, 'note') || null;
    if (!(await resolve.run({ request_id: request.id, result, note }))) return;
    toast(
      result === 'approve'
        ? 'Approved: the new terms apply from now on.'
        : 'The request was refused.',
    );
    onClose();
  };
  return (
    <Form
      write={resolve}
      onSubmit={decide}
      acts={[
        ['approve', 'Approve', 'primary'],
        ['refuse', 'Refuse', 'danger'],
      ]}
    >
      <TextArea label="Note to the partner" name="note" maxLength={2000} />
    </Form>
  );
}
