import type { ReactNode } from 'react';
import { useWrite, type Endpoint } from '../calls.js';
import { ConfirmedForm, Field, useToast } from '../../ui/index.js';
import { formText } from '../../lib/formValues.js';
import { HeadersField, KEPT, readHeaders } from '../../lib/headersField.js';

/** Sends leads to another address from now on; the person confirms first, because leads under way go there too. */
export function EndpointForm({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const update = useWrite('update_endpoint');
  const toast = useToast();
  return (
    <ConfirmedForm
      submit="Save endpoint"
      title="Change where leads are sent?"
      act="Change endpoint"
      write={update}
      read={(values) => ({ url: formText(values, 'url'), headers: readHeaders(values) })}
      run={update.run}
      summary={({ url }) => (
        <p>
          From now on, all leads go to <code>{url}</code>, including those already waiting.
        </p>
      )}
      onDone={() => toast('The endpoint was updated.')}
    >
      <Field
        label="Address"
        name="url"
        type="url"
        inputMode="url"
        dir="ltr"
        required
        maxLength={2000}
        defaultValue={endpoint.url ?? ''}
        hint="Leave unchanged to keep the saved query, or enter a full new URL"
      />
      <HeadersField
        headers={endpoint.headers.map((name) => [name, KEPT])}
        note="A new host needs all values again."
      />
    </ConfirmedForm>
  );
}
