/** A visitor that knows only HTML: opens pages, fills in their forms by their markup, and sends them. */
import { submitterOf, valuesOf, formsOf, type HtmlControl, type HtmlForm } from './htmlForm.js';
import { find, parseHtml, textOf, type HtmlElement } from './parseHtml.js';

export interface HtmlPage {
  status: number;
  /** Its URL after all redirects. */
  url: string;
  headers: Headers;
  html: string;
  document: HtmlElement;
  /** Its largest heading. */
  heading: string;
  /** All readable text of the page. */
  text: string;
  /** The form with method POST; null without one. */
  form: HtmlForm | null;
}

export interface HtmlVisitor {
  /** @throws {TypeError} when no answer comes */
  open(url: string): Promise<HtmlPage>;
  /**
   * Presses the button of the page's form, with these values in the form.
   * @throws {Error} when the page has no form, or no answer comes
   */
  submit(page: HtmlPage, values: readonly (readonly [string, string])[]): Promise<HtmlPage>;
}

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  zip: string;
}

const REDIRECTS_MAX = 5;

/**
 * @param headers sent with each request
 * @param timeoutMs for each answer
 */
export function createHtmlVisitor(
  headers: Readonly<Record<string, string>> = {},
  timeoutMs = 30_000,
): HtmlVisitor {
  const own = { accept: 'text/html', 'user-agent': 'a visitor', ...headers };
  const request = async (url: string, init: RequestInit = {}, redirects = 0): Promise<HtmlPage> => {
    const answer = await fetch(url, {
      ...init,
      headers: { ...own, ...(init.headers as Record<string, string> | undefined) },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const location = answer.headers.get('location');
    const html = await answer.text();
    if (answer.status < 300 || answer.status > 399 || location === null)
      return pageOf(answer, url, html);
    const target = new URL(location, url);
    // Another site is not under test: it is enough that the visitor was redirected there.
    if (target.origin !== new URL(url).origin || redirects === REDIRECTS_MAX)
      return pageOf(answer, target.href, html);
    return request(target.href, {}, redirects + 1);
  };
  return {
    open: (url) => request(url),
    submit(page, values) {
      const { form } = page;
      if (!form) throw new Error(`There is no form on ${page.url}: ${page.text.slice(0, 200)}`);
      const button = submitterOf(form);
      const body = new URLSearchParams([
        ...values.map(([name, value]): [string, string] => [name, value]),
        ...(button?.name ? [[button.name, button.value] as [string, string]] : []),
      ]);
      return request(new URL(form.action || page.url, page.url).href, {
        method: form.method,
        body,
      });
    },
  };
}

function pageOf({ status, headers }: Response, url: string, html: string): HtmlPage {
  const document = parseHtml(html);
  const heading = find(document, 'h1');
  return {
    status,
    url,
    headers,
    html,
    document,
    heading: heading ? textOf(heading) : '',
    text: textOf(document),
    form: formsOf(document).find(({ method }) => method === 'POST') ?? null,
  };
}

/**
 * The values that a visitor types and chooses in a form; prefilled values stay.
 * @param choose picks one of the values of a question; default: the first
 */
export function fillIn(
  form: HtmlForm,
  person: Person,
  choose: (name: string, values: readonly string[]) => string = (_, [first = '']) => first,
): [name: string, value: string][] {
  const isChosen = (name: string): boolean =>
    form.controls.some((one) => one.name === name && one.type === 'radio' && one.isChecked);
  const filled = form.controls.map((control): HtmlControl => {
    const { name, type, isHidden, value, isRequired } = control;
    if (isHidden || type === 'hidden') return control;
    if (type === 'radio') {
      if (isChosen(name)) return control;
      const values = form.controls.filter((one) => one.name === name).map((one) => one.value);
      return { ...control, isChecked: choose(name, values) === value };
    }
    if (type === 'checkbox') return { ...control, isChecked: control.isChecked || isRequired };
    if (value !== '') return control;
    if (type === 'select') {
      const values = control.options.filter((option) => option !== '');
      return { ...control, value: choose(name, values) };
    }
    return { ...control, value: typed(control, person) };
  });
  return valuesOf({ ...form, controls: filled });
}

/** By the markup of the control: its `autocomplete`, then its type. */
function typed({ kind, type, element }: HtmlControl, person: Person): string {
  const byKind: Record<string, string> = {
    name: `${person.firstName} ${person.lastName}`,
    'given-name': person.firstName,
    'family-name': person.lastName,
    email: person.email,
    tel: person.phone,
    'tel-national': person.phone,
    'postal-code': person.zip,
  };
  const known = Object.hasOwn(byKind, kind) ? byKind[kind] : undefined;
  if (known !== undefined) return known;
  switch (type) {
    case 'email':
      return person.email;
    case 'tel':
      return person.phone;
    case 'number':
      return element.attributes.get('min') ?? '1';
    case 'date':
      return element.attributes.get('min') ?? '1990-05-17';
    case 'time':
      return '10:30';
    case 'datetime-local':
      return '2027-01-15T10:30';
    case 'url':
      return 'https://www.example.com/';
    default:
      return element.attributes.get('inputmode') === 'numeric' ? '12345' : 'Main Street';
  }
}
