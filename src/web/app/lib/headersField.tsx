/** The headers of the requests to a partner's server, as lines of `Name: value`. */
import type { ReactNode } from 'react';
import { TextArea } from '../ui/index.js';
import { notSent } from './api.js';
import { formText } from './formValues.js';

/** In place of a saved value, which no page shows; sent back, it keeps the value. */
export const KEPT = '[hidden]';

interface HeadersFieldProps {
  headers: readonly (readonly [name: string, value: string])[];
  /** A further sentence under the label. */
  note?: string;
}

export const HeadersField = ({ headers, note = '' }: HeadersFieldProps): ReactNode => (
  <TextArea
    label="Headers"
    name="headers"
    dir="ltr"
    rows={3}
    spellCheck={false}
    defaultValue={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
    hint={`One header per line, as Name: value. Leave ${KEPT} to keep a saved value. ${note}`}
  />
);

/** The headers of a form with this field. @throws {ApiError} for a line without a name */
export function readHeaders(values: FormData): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of formText(values, 'headers').split('\n')) {
    if (line.trim() === '') continue;
    const at = line.indexOf(':');
    if (at < 1) throw notSent('headers', `"${line.slice(0, 80)}" is not in the form Name: value.`);
    headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return headers;
}
