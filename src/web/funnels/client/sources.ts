/** Where the visitor came from: fills in the inputs that are sent with the answers. */
import { EMBED_QUERY, SOURCE_PARAMETERS, SOURCE_TEXT_MAX } from '../protocol.js';
import { hiddenInput } from './page.js';

/** What the service has filled in already stays. */
export function noteSources(form: HTMLFormElement): void {
  const query = new URLSearchParams(location.search);
  const note = (name: string, value: string | null): void => {
    if (value === null || value === '') return;
    const input = hiddenInput(form, name);
    if (input.value === '') input.value = value.slice(0, SOURCE_TEXT_MAX);
  };
  for (const name of SOURCE_PARAMETERS) note(`u.${name}`, query.get(name));
  note('p', query.get(EMBED_QUERY.page) ?? location.href.replace(/#.*/, ''));
  note('r', query.get(EMBED_QUERY.referrer) ?? document.referrer);
}
