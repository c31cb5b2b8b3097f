/** The forms of a document: their controls and how they are sent, by the rules of HTML. */
import { attribute, descendants, isWithin, textOf, type HtmlElement } from './parseHtml.js';

export interface HtmlControl {
  name: string;
  /** The type of an input; otherwise `select`, `textarea` or `button`. */
  type: string;
  value: string;
  /** For a checkbox or a radio button. */
  isChecked: boolean;
  isRequired: boolean;
  /** A person can neither see nor reach it. */
  isHidden: boolean;
  /** The last word of `autocomplete`: the kind of value it takes. */
  kind: string;
  /** For a select. */
  options: readonly string[];
  element: HtmlElement;
}

export interface HtmlForm {
  action: string;
  /** In upper case. */
  method: string;
  controls: readonly HtmlControl[];
}

const BUTTONS = new Set(['submit', 'button', 'image', 'reset']);

/** In the order of the document. */
export const formsOf = (document: HtmlElement): HtmlForm[] =>
  descendants(document)
    .filter(({ name }) => name === 'form')
    .map((form) => ({
      action: attribute(form, 'action') ?? '',
      method: (attribute(form, 'method') ?? 'get').toUpperCase(),
      controls: descendants(form).flatMap(controlsOf),
    }));

/** Names and values that a browser sends, without those of its buttons. */
export function valuesOf({ controls }: HtmlForm): [name: string, value: string][] {
  return controls
    .filter(({ name, type }) => name !== '' && !BUTTONS.has(type))
    .filter(({ type, isChecked }) => isChecked || (type !== 'radio' && type !== 'checkbox'))
    .map(({ name, value }) => [name, value]);
}

/** The button that sends the form; undefined without one. */
export const submitterOf = ({ controls }: HtmlForm): HtmlControl | undefined =>
  controls.find(({ type, isHidden }) => type === 'submit' && !isHidden);

function controlsOf(element: HtmlElement): HtmlControl[] {
  const { name } = element;
  if (name !== 'input' && name !== 'select' && name !== 'textarea' && name !== 'button') return [];
  if (isWithin(element, (one) => one.name !== 'form' && one.attributes.has('disabled'))) return [];
  return [
    {
      name: attribute(element, 'name') ?? '',
      type: typeOf(element),
      value: valueOf(element),
      isChecked: element.attributes.has('checked'),
      isRequired: element.attributes.has('required'),
      isHidden: isWithin(
        element,
        (one) => attribute(one, 'aria-hidden') === 'true' || one.attributes.has('hidden'),
      ),
      kind: (attribute(element, 'autocomplete') ?? '').split(/\s+/).at(-1) ?? '',
      options: optionsOf(element).map(optionValue),
      element,
    },
  ];
}

function typeOf(element: HtmlElement): string {
  const { name } = element;
  if (name === 'input') return (attribute(element, 'type') ?? 'text').toLowerCase();
  if (name === 'button') return (attribute(element, 'type') ?? 'submit').toLowerCase();
  return name;
}

function valueOf(element: HtmlElement): string {
  if (element.name === 'textarea') return textOf(element);
  if (element.name === 'select') {
    const options = optionsOf(element);
    const chosen = options.find(({ attributes }) => attributes.has('selected')) ?? options[0];
    return chosen ? optionValue(chosen) : '';
  }
  const isBox = /^(?:checkbox|radio)$/i.test(attribute(element, 'type') ?? '');
  return attribute(element, 'value') ?? (isBox ? 'on' : '');
}

const optionsOf = (element: HtmlElement): HtmlElement[] =>
  element.name === 'select' ? descendants(element).filter(({ name }) => name === 'option') : [];

const optionValue = (option: HtmlElement): string => attribute(option, 'value') ?? textOf(option);
