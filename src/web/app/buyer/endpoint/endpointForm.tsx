import type { ReactNode } from 'react';
import { ApiError, notSent } from '../../lib/api.js';
import { useWrite, type Endpoint, type InputOf } from '../calls.js';
import { ConfirmedForm, Field, TextArea, useToast } from '../../ui/index.js';
import { formText } from '../../lib/formValues.js';

type Update = InputOf<'update_endpoint'>;

/** A value that stays as stored. */
const KEPT = '[hidden]';

/** Sends leads to another address from now on; the person confirms first, because leads under way go there too. */
export function EndpointForm({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const update = useWrite('update_endpoint');
  const toast = useToast();
  const read = (values: FormData): Update | ApiError => {
    const headers = headersOf(formText(values, 'headers'));
    return headers instanceof ApiError ? headers : { url: formText(values, 'url'), headers };
  };
  return (
    <ConfirmedForm
      submit="Save endpoint"
      title="Change where leads are sent?"
      act="Change endpoint"
      write={update}
      read={read}
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
      <TextArea
        label="Headers"
        name="headers"
        dir="ltr"
        rows={3}
        spellCheck={false}
        defaultValue={endpoint.headers.map((name) => `${name}: ${KEPT}`).join('\n')}
        hint={`One header per line, as Name: value. Leave ${KEPT} to keep a saved value; a new host needs all values again`}
      />
    </ConfirmedForm>
  );
}

function headersOf(text: string): Record<string, string> | ApiError {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const at = line.indexOf(':');
    if (at < 1) return notAHeader(line);
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return headers;
}

const notAHeader = (line: string): ApiError =>
  notSent('headers', `"${line.slice(0, 80)}" is not in the form Name: value.`);
