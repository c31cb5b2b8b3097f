/** Eta templates with types: what stands between `<%=` and `%>` is escaped, unless a template has made it. */
import { Eta } from 'eta';
import { escapeHtml } from '../../account/rules/template.js';

/** HTML that a template has made: other templates take it as it is. */
export class Markup {
  constructor(readonly html: string) {}
}

const eta = new Eta({ escapeFunction: write, autoTrim: [false, 'nl'] });

/**
 * Compiles a template at once; `it` is its data. The text must be a constant of the source: it becomes code.
 * @returns what fills it; nothing of the data becomes markup, except what is `Markup` (alone or in a list)
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what a template takes is said where it stands
export function template<D extends object>(text: string): (data: D) => Markup {
  const fill = eta.compile(text);
  return (data) => new Markup(eta.render(fill, data));
}

/** Attributes of an element, each with a space before it; `true` stands alone, and what is absent is left out. */
export function attributes(values: Record<string, string | number | boolean | undefined>): Markup {
  const texts = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return '';
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  });
  return new Markup(texts.join(''));
}

/** @throws {TypeError} for what has no text of its own, such as an object */
function write(value: unknown): string {
  if (value instanceof Markup) return value.html;
  if (Array.isArray(value)) return value.map(write).join('');
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  throw new TypeError('A template shows texts and numbers.');
}
