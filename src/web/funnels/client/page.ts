/** The document of a funnel, as the script sees it. */
import type { PageData } from '../types.js';

/** A control that a visitor can fill in. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export interface FunnelPage {
  data: PageData;
  form: HTMLFormElement;
  main: HTMLElement;
  /** In the order of the page, from the first on. */
  steps: readonly HTMLFieldSetElement[];
  first: HTMLFieldSetElement;
  submit: HTMLButtonElement;
}

/** Null where the document holds no form, such as at the end of a visit. */
export function readPage(): FunnelPage | null {
  const main = document.getElementById('lw-main');
  const form = document.getElementById('lw-form');
  const data = document.getElementById('lw-data');
  const submit = document.getElementById('lw-submit');
  const isWhole =
    main && data && form instanceof HTMLFormElement && submit instanceof HTMLButtonElement;
  if (!isWhole) return null;
  const steps = [...form.querySelectorAll<HTMLFieldSetElement>('fieldset.step')];
  const [first] = steps;
  if (!first) return null;
  return { data: JSON.parse(data.textContent) as PageData, form, main, steps, first, submit };
}

export const idOf = (step: HTMLFieldSetElement): string => step.dataset.step ?? '';

/** The controls that the visitor fills in there, without hidden inputs. */
export const controlsIn = (parent: ParentNode): Control[] => [
  ...parent.querySelectorAll<Control>(
    'input[name^="f."], select[name^="f."], textarea[name^="f."], input[name="consent"]',
  ),
];

/** The field of the mapping, or `consent`. */
export const fieldOf = (control: Control): string => control.name.replace(/^f\./, '');

/** The step that asks for it. */
export const stepOf = (control: Control): ParentNode =>
  control.closest<HTMLFieldSetElement>('fieldset.step') ?? document;

/** A hidden input; creates it where there is none. */
export function hiddenInput(form: HTMLFormElement, name: string): HTMLInputElement {
  const there = form.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
  if (there) return there;
  const made = Object.assign(document.createElement('input'), { type: 'hidden', name });
  form.append(made);
  return made;
}
