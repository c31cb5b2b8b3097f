/**
 * Shows faults of answers at their fields. The service checks the answers again and decides; it would refuse everything
 * that is refused here.
 */
import { normalizePhone } from '../../../fields/phone.js';
import { visibleText } from '../../../lib/invisible.js';
import { readTypedNumber } from '../protocol.js';
import type { PageFault } from '../types.js';
import { controlsIn, fieldOf, stepOf, type Control, type FunnelPage } from './page.js';

interface Fault {
  /** One that a page from before an update does not hold is replaced by a request to check the answer. */
  text: PageFault['text'];
  limit?: string | number;
}

interface Kind {
  /** Of the text as it is seen. */
  pattern: Pick<RegExp, 'test'>;
  text: PageFault['text'];
}

/** By `data-check` of the control; `number` is read instead. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['phone', { pattern: { test: (text) => normalizePhone(text) !== null }, text: 'invalid_phone' }],
  // The service knows which domains there can be: in other scripts they have full stops of their own.
  ['email', { pattern: /^[^\s@]+@[^\s@]+[.\u3002\uff0e\uff61][^\s@]+$/, text: 'invalid_email' }],
  ['zip', { pattern: /^\s*\d{5}(?:-?\d{4})?\s*$/, text: 'invalid_zip' }],
  ['date', { pattern: /\d/, text: 'invalid_date' }],
  ['digits', { pattern: /\d/, text: 'invalid_number' }],
  ['url', { pattern: /^\s*https?:\/\/\S+\s*$/i, text: 'invalid' }],
]);

export function createChecks({ form, steps, data }: FunnelPage) {
  const afterPointing = whileNotPointing();
  const texts = new Map<string, string>(Object.entries(data.texts));
  const sentence = ({ text, limit = '' }: Fault): string =>
    (texts.get(text) ?? data.texts.invalid).replace('{limit}', String(limit));

  /** Each button of a radio group gives the same fault. */
  function check(control: Control): boolean {
    const fault = faultOf(control);
    mark(stepOf(control), fieldOf(control), fault && sentence(fault));
    return fault === null;
  }

  // A faulty answer is checked again on each change, any other when the visitor leaves the field.
  form.addEventListener('input', ({ target }) => {
    if (isControl(target) && slotOf(stepOf(target), fieldOf(target))?.hidden === false)
      check(target);
  });
  form.addEventListener('focusout', ({ target }) => {
    if (isControl(target) && !isEmpty(target)) afterPointing(() => check(target));
  });

  return {
    /** Shows the faults of this step, and moves to the first. */
    passes(step: HTMLFieldSetElement): boolean {
      const faulty = controlsIn(step).filter((control) => !check(control));
      faulty[0]?.focus();
      return faulty.length === 0;
    },
    /** Shows the faults that the service found, and moves to the first. */
    show(faults: readonly PageFault[]): void {
      const found = faults.flatMap(({ step, field, text, limit }) => {
        const place = steps.find(({ dataset }) => dataset.step === step);
        if (!place) return [];
        mark(place, field, sentence({ text, limit }));
        return controlsIn(place).filter((control) => fieldOf(control) === field);
      });
      found[0]?.focus();
    },
  };
}

/**
 * A fault that appears or disappears moves the content below it: never while the visitor presses, or the click is lost.
 */
function whileNotPointing(): (run: () => void) => void {
  let isDown = false;
  addEventListener('pointerdown', () => (isDown = true), { capture: true });
  for (const name of ['pointerup', 'pointercancel'])
    addEventListener(name, () => (isDown = false), { capture: true });
  return (run) => {
    if (isDown) addEventListener('pointerup', () => setTimeout(run), { once: true });
    else run();
  };
}

function faultOf(control: Control): Fault | null {
  if (isEmpty(control)) {
    if (!control.required) return null;
    return { text: control.name === 'consent' ? 'consent_required' : 'required' };
  }
  const { value, validity, dataset } = control;
  const kind = KINDS.get(dataset.check ?? '');
  if (kind && (validity.badInput || !kind.pattern.test(visibleText(value))))
    return { text: kind.text };
  if (validity.tooLong) return { text: 'too_long' };
  const number = dataset.check === 'number' ? typedNumber(control) : value;
  if (number === null) return { text: 'invalid_number' };
  if (Number(number) < Number(dataset.min ?? -Infinity))
    return { text: 'too_small', limit: dataset.min };
  if (Number(number) > Number(dataset.max ?? Infinity))
    return { text: 'too_large', limit: dataset.max };
  return null;
}

const typedNumber = ({ value, dataset }: Control): string | null =>
  readTypedNumber(value, dataset.decimal === ',' ? ',' : '.');

const isControl = (target: EventTarget | null): target is Control =>
  (target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement) &&
  (target.name.startsWith('f.') || target.name === 'consent');

function isEmpty(control: Control): boolean {
  if (control.validity.badInput) return false;
  if (control.type === 'checkbox') return !(control as HTMLInputElement).checked;
  // Of a radio group, whose field another branch may ask too, only the buttons of this step count.
  if (control.type === 'radio')
    return !controlsIn(stepOf(control)).some(
      (other) => other.name === control.name && (other as HTMLInputElement).checked,
    );
  return visibleText(control.value) === '';
}

const slotOf = (step: ParentNode, field: string): HTMLElement | null =>
  step.querySelector<HTMLElement>(`[data-error="${CSS.escape(field)}"]`);

function mark(step: ParentNode, field: string, text: string | null): void {
  const slot = slotOf(step, field);
  if (slot) {
    slot.textContent = text ?? '';
    slot.hidden = text === null;
  }
  for (const control of controlsIn(step)) {
    if (fieldOf(control) !== field) continue;
    if (text === null) control.removeAttribute('aria-invalid');
    else control.setAttribute('aria-invalid', 'true');
  }
}
