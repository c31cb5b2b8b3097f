/**
 * Answers survive a reload in the same tab, but not a new version of the page. Consent is not among them: its box is
 * never ticked beforehand.
 */
import { controlsIn, hiddenInput, type Control, type FunnelPage } from './page.js';

export type Kept = ReturnType<typeof keepAnswers>;

interface Stored {
  values: Record<string, string>;
  token?: string;
}

export function keepAnswers({ form, data }: FunnelPage) {
  const prefix = `lw:${data.funnel}:`;
  const key = `${prefix}${data.version}`;
  const store = sessionStore();
  let token: string | undefined;
  let isOver = false;

  const save = (): void => {
    if (isOver) return;
    store?.setItem(key, JSON.stringify({ values: valuesOf(form), token } satisfies Stored));
  };

  for (const name of Object.keys(store ?? {}))
    if (name.startsWith(prefix) && name !== key) store?.removeItem(name);
  const stored = parse(store?.getItem(key));
  if (stored) {
    restore(form, stored.values);
    token = stored.token;
    if (token !== undefined) hiddenInput(form, 't').value = token;
  }
  // Some browsers restore ticked boxes by themselves.
  for (const box of form.querySelectorAll<HTMLInputElement>('[name="consent"]'))
    box.checked = false;
  form.addEventListener('change', save);
  addEventListener('pagehide', save);

  return {
    /** The token that the answers were sent with: they are sent with it again until the service has answered. */
    sentWith(sent: string): void {
      token = sent;
      save();
    },
    /** Nothing is kept after this. */
    clear(): void {
      isOver = true;
      store?.removeItem(key);
    },
  };
}

/** Null where the browser stores nothing for this page. */
function sessionStore(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

function parse(text: string | null | undefined): Stored | null {
  if (text == null) return null;
  try {
    return JSON.parse(text) as Stored;
  } catch {
    return null;
  }
}

const isButton = (control: Control): control is HTMLInputElement =>
  control.type === 'radio' || control.type === 'checkbox';

const answersIn = (form: HTMLFormElement): Control[] =>
  controlsIn(form).filter(({ name }) => name !== 'consent');

function valuesOf(form: HTMLFormElement): Record<string, string> {
  const given = answersIn(form).filter((control) => !isButton(control) || control.checked);
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

/** Values that the document came with stay. */
function restore(form: HTMLFormElement, values: Readonly<Record<string, string>>): void {
  const kept = new Map(Object.entries(values));
  const given = new Map(Object.entries(valuesOf(form)));
  for (const control of answersIn(form)) {
    const value = kept.get(control.name);
    if (value === undefined || (given.get(control.name) ?? '') !== '') continue;
    if (isButton(control)) control.checked = control.value === value;
    else control.value = value;
  }
}
