/** Eta templates with types: values between `<%=` and `%>` are escaped, unless a template has made them. */
import { Eta } from 'eta';
import { escapeHtml } from '../../account/rules/template.js';

/** HTML that a template has made: other templates include it unescaped. */
export class Markup {
  constructor(readonly html: string) {}
}

const eta = new Eta({ escapeFunction: write, autoTrim: [false, 'nl'] });

/**
 * Compiles a template at once; `it` is its data. The text must be a constant of the source: it becomes code.
 * @returns a function that fills it; nothing of the data becomes markup, except `Markup` (alone or in a list)
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what a template takes is said where it stands
export function template<D extends object>(text: string): (data: D) => Markup {
  const fill = eta.compile(text);
  return (data) => new Markup(eta.render(fill, data));
}

/** Undefined ones are left out. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** Attributes of an element, each with a space before it; `true` gives the bare name, and undefined is left out. */
export function attributes(values: Attributes): Markup {
  const texts = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return '';
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  });
  return new Markup(texts.join(''));
}

/** An element without content. */
export const element = (name: 'img' | 'input' | 'track', values: Attributes): Markup =>
  new Markup(`<${name}${attributes(values).html}>`);

/** @throws {TypeError} for a value without a text form, such as an object */
function write(value: unknown): string {
  if (value instanceof Markup) return value.html;
  if (Array.isArray(value)) return value.map(write).join('');
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  throw new TypeError('A template shows texts and numbers.');
}
