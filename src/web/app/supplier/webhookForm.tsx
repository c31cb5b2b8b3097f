/** The address of the webhook, and headers that it is sent with. */
import type { ReactNode } from 'react';
import { useWrite, type OutputOf } from './calls.js';
import { Checkbox, Field, Form, useToast } from '../ui/index.js';
import { formText } from '../lib/formValues.js';
import { HeadersField, readHeaders } from '../lib/headersField.js';

interface WebhookFormProps {
  hook: OutputOf<'get_webhook'>;
  /** With the first address a secret is made. */
  onSecret(secret: string): void;
}

export function WebhookForm({ hook, onSecret }: WebhookFormProps): ReactNode {
  const set = useWrite('set_webhook');
  const toast = useToast();
  const submit = async (values: FormData): Promise<void> => {
    const done = await set.run({
      url: formText(values, 'url'),
      headers: readHeaders(values),
      status: values.has('active') ? 'active' : 'paused',
    });
    if (!done) return;
    toast('The webhook was saved.');
    if (done.secret !== null) onSecret(done.secret);
  };
  return (
    <Form onSubmit={submit} write={set} submit="Save webhook">
      <Field
        label="Address"
        name="url"
        type="url"
        required
        maxLength={2_000}
        defaultValue={hook?.url}
        placeholder="https://example.com/leads/decided"
        dir="ltr"
      />
      <HeadersField headers={Object.entries(hook?.headers ?? {})} />
      <Checkbox
        label="Enabled"
        name="active"
        defaultChecked={hook?.status !== 'paused'}
        hint="When off, events are queued."
      />
    </Form>
  );
}
