import { useState, type ReactNode } from 'react';
import { ChangeTable } from '../../buyer/terms/values.js';
import { formText } from '../../lib/formValues.js';
import {
  Dialog,
  EmptyState,
  Facts,
  Form,
  Loaded,
  TextArea,
  Time,
  useToast,
  Written,
  type Fact,
} from '../../ui/index.js';
import { useWrite } from '../../lib/useActions.js';
import type { ChangeRequest } from '../parties/types.js';
import { PartyName } from '../names.js';

interface ChangeDialogProps {
  isOpen: boolean;
  /** The request, alone in its list; an empty list: it is gone. */
  of: Query<readonly ChangeRequest[]>;
  mayDecide: boolean;
  onClose(): void;
}

type Query<T> = Parameters<typeof Loaded<T>>[0]['of'];

/** One request, before and after; with the decision while it waits. */
export function ChangeDialog({ isOpen, of, mayDecide, onClose }: ChangeDialogProps): ReactNode {
  return (
    <Dialog title="Change request" isOpen={isOpen} onClose={onClose}>
      {isOpen && (
        <Loaded of={of}>
          {([request]) =>
            request ? (
              <Shown key={request.id} request={request} mayDecide={mayDecide} onClose={onClose} />
            ) : (
              <EmptyState title="There is no such request">
                It may belong to a partner that was deleted.
              </EmptyState>
            )
          }
        </Loaded>
      )}
    </Dialog>
  );
}

type ShownProps = Pick<ChangeDialogProps, 'mayDecide' | 'onClose'> & { request: ChangeRequest };

/** Where another person decides meanwhile, the refusal of the decision stays in sight. */
function Shown({ request, mayDecide, onClose }: ShownProps): ReactNode {
  const [wasPending] = useState(request.state === 'pending');
  return (
    <>
      <ChangeTable changes={request.changes} />
      <Facts facts={factsOf(request)} />
      {mayDecide && wasPending && <Decision request={request} onClose={onClose} />}
    </>
  );
}

const written = (text: string | null | undefined): ReactNode =>
  text != null && <Written>{text}</Written>;

const factsOf = (request: ChangeRequest): Fact[] => [
  ['Partner', <PartyName party={request.party} />],
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
