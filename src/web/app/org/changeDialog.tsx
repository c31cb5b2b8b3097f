import type { ReactNode } from 'react';
import { ChangeTable } from '../buyer/terms/changeTable.js';
import { formText } from '../lib/formText.js';
import { Button, Dialog, Facts, Form, TextArea, Time, useToast, Written } from '../ui/index.js';
import { useWrite, type ChangeRequest } from './calls.js';

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

function factsOf(request: ChangeRequest): (readonly [string, ReactNode])[] {
  const { party, campaign, requested_at, requested_by, reason, resolved_at, resolved_by, note } =
    request;
  const written = (name: string, text: string | null | undefined) =>
    text == null ? [] : [[name, <Written key={name}>{text}</Written>] as const];
  return [
    ...written('Partner', party.name),
    ...written('Campaign', campaign?.name),
    ...written('Asked by', requested_by.name),
    ['Asked', <Time key="asked" at={requested_at} />],
    ...written('Reason', reason),
    ...written('Decided by', resolved_by?.name),
    ...(resolved_at === null
      ? []
      : [['Decided', <Time key="decided" at={resolved_at} />] as const]),
    ...written('Note', note),
  ];
}

/** Another person may have decided meanwhile: then the service answers who and when, and changes nothing. */
function Decision({ request, onClose }: { request: ChangeRequest; onClose(): void }): ReactNode {
  const resolve = useWrite('resolve_change_request');
  const toast = useToast();
  const decide = async (values: FormData): Promise<void> => {
    const result = formText(values, 'result') === 'approve' ? 'approve' : 'refuse';
    const note = formText(values, 'note') || null;
    if (!(await resolve.run({ request_id: request.id, result, note }))) return;
    toast(
      result === 'approve'
        ? 'Approved: the new terms hold from now on.'
        : 'The request is refused.',
    );
    onClose();
  };
  return (
    <Form
      error={resolve.error}
      isBusy={resolve.isRunning}
      onSubmit={(values) => void decide(values)}
      actions={
        <>
          <Button
            type="submit"
            kind="primary"
            name="result"
            value="approve"
            isBusy={resolve.isRunning}
          >
            Approve
          </Button>
          <Button
            type="submit"
            kind="danger"
            name="result"
            value="refuse"
            isBusy={resolve.isRunning}
          >
            Refuse
          </Button>
        </>
      }
    >
      <TextArea label="Note to the partner" name="note" maxLength={2000} />
    </Form>
  );
}
