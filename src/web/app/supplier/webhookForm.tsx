/** The address of the webhook, and headers that it is sent with. */
import type { ReactNode } from 'react';
import { useWrite, type OutputOf } from './calls.js';
import { Checkbox, Field, Form, TextArea, useToast } from '../ui/index.js';
import { formText } from '../lib/formValues.js';

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
      headers: headersOf(formText(values, 'headers')),
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
      <TextArea
        label="Headers"
        name="headers"
        rows={3}
        spellCheck={false}
        dir="ltr"
        defaultValue={Object.entries(hook?.headers ?? {})
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
        hint="One header per line, as Name: value. Leave [hidden] to keep a saved value."
      />
      <Checkbox
        label="Enabled"
        name="active"
        defaultChecked={hook?.status !== 'paused'}
        hint="When off, events are queued."
      />
    </Form>
  );
}

/** Lines of `name: value`. A line without a colon is a name without a value, which the service refuses by name. */
function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
}
