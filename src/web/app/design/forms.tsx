import { useState, type ReactNode } from 'react';
import { ApiError } from '../lib/api.js';
import {
  Button,
  Checkbox,
  Confirm,
  DateRange,
  Dialog,
  Field,
  Form,
  Select,
  TextArea,
} from '../ui/index.js';

const REFUSED = new ApiError(422, {
  error: 'invalid_input',
  message: 'Some values are not valid.',
  request_id: '',
  details: [
    { path: 'email', code: 'invalid_format', message: 'must be an address such as a@b.example' },
    { path: 'caps.day', code: 'out_of_range', message: 'must be at most 1,000' },
  ],
});

/** A form that is refused when it is sent, and two dialogs. */
export function Forms(): ReactNode {
  const [error, setError] = useState<ApiError | null>(null);
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null);
  const [range, setRange] = useState<{ from?: string; to?: string }>({ from: '2026-11-01' });
  const close = (): void => setOpen(null);
  return (
    <div className="stack">
      <Form submit="Send" error={error} onSubmit={() => setError(REFUSED)}>
        <Field label="Name" name="name" required />
        <Field label="Email" name="email" hint="The invitation is sent to it." />
        <Select
          label="Role"
          name="role"
          options={[
            { value: 'admin', label: 'Admin' },
            { value: 'viewer', label: 'Viewer' },
          ]}
        />
        <TextArea label="Note" name="note" />
        <Checkbox label="Allow returns" name="returns" hint="Buyers may return leads." />
      </Form>
      <DateRange
        from={range.from}
        to={range.to}
        onChange={(change) => setRange((before) => ({ ...before, ...change }))}
      />
      <div className="actions">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Ask before an act</Button>
      </div>
      <Dialog title="Invite a person" isOpen={open === 'dialog'} onClose={close}>
        <Form submit="Invite" onSubmit={close}>
          <Field label="Address" name="address" type="email" required />
        </Form>
      </Dialog>
      <Confirm
        title="Remove Jane Doe?"
        isOpen={open === 'confirm'}
        act="Remove"
        isDanger
        onConfirm={close}
        onClose={close}
      >
        <p>She loses access at her next request.</p>
      </Confirm>
    </div>
  );
}
