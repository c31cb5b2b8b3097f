/** A browser without scripts: it keeps cookies, follows redirects on request, and sends the forms of a page. */
import type { IncomingHttpHeaders } from 'node:http';
import { send } from '../../support/http.js';

export interface PageView {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Empty without a title. */
  title: string;
  /** The target of a redirect; empty without one. */
  location: string;
}

export interface Visitor {
  /** Cookies by name. */
  cookies: Map<string, string>;
  /** GET, without following a redirect. */
  open(path: string, headers?: Record<string, string>): Promise<PageView>;
  /** GET, to where the redirects end. */
  visit(path: string): Promise<PageView>;
  /** Follows the redirects of an answer to their end. */
  follow(page: PageView): Promise<PageView>;
  /** Sends the page's form for `action`, with its hidden fields, like a page of this site. */
  submit(page: PageView, action: string, values?: Record<string, string>): Promise<PageView>;
  /** POST with headers of the caller's choice. */
  post(
    path: string,
    values: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<PageView>;
}

const REDIRECTS_MAX = 6;

/** @param url base URL of the service */
export function createVisitor(
  url: string,
  agent = 'Mozilla/5.0 (X11; Linux x64) Firefox/150.0',
): Visitor {
  const cookies = new Map<string, string>();
  const base = { 'user-agent': agent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  const ask = async (
    path: string,
    options: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<PageView> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, headers, text } = await send(new URL(path, url).href, {
      ...options,
      headers: { ...base, ...(cookie !== '' && { cookie }), ...options.headers },
    });
    for (const line of headers['set-cookie'] ?? []) keep(cookies, line);
    return {
      status,
      headers,
      text,
      title: unescapeHtml(/<title>(.*?)<\/title>/.exec(text)?.[1] ?? ''),
      location: headers.location ?? '',
    };
  };
  const open: Visitor['open'] = (path, headers = {}) =>
    ask(path, { headers: { 'sec-fetch-site': 'none', ...headers } });
  const follow: Visitor['follow'] = async (page) => {
    let now = page;
    for (let count = 0; now.location !== '' && count < REDIRECTS_MAX; count += 1) {
      now = await open(now.location, { 'sec-fetch-site': 'same-origin' });
    }
    return now;
  };
  const post: Visitor['post'] = (path, values, headers = { 'sec-fetch-site': 'same-origin' }) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(values).toString(),
    });
  return {
    cookies,
    open,
    follow,
    visit: async (path) => follow(await open(path)),
    submit: (page, action, values = {}) => post(action, { ...hiddenOf(page, action), ...values }),
    post,
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...rest] = line.split(';');
  const at = pair.indexOf('=');
  const isOver = rest.some((part) => /^\s*max-age=0$/i.test(part)) || pair.slice(at + 1) === '';
  if (isOver) cookies.delete(pair.slice(0, at));
  else cookies.set(pair.slice(0, at), pair.slice(at + 1));
}

/** Hidden values that a form sends. */
function hiddenOf({ text }: PageView, action: string): Record<string, string> {
  const forms = [...text.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)];
  const form = forms.find(([, head = '']) => attributeOf(head, 'action') === action);
  if (!form) throw new Error(`The page has no form that leads to ${action}:\n${text}`);
  const inputs = [...(form[2] ?? '').matchAll(/<(?:input|button) ([^>]*)>/g)];
  return Object.fromEntries(
    inputs
      .map(([, head = '']) => head)
      .filter((head) => ['hidden', 'submit'].includes(attributeOf(head, 'type')))
      .map((head) => [attributeOf(head, 'name'), attributeOf(head, 'value')]),
  );
}

/** An attribute of a tag, decoded; empty when absent. */
const attributeOf = (head: string, name: string): string =>
  unescapeHtml(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head)?.[1] ?? '');

/** The attributes of the input of that name, as text; empty when absent. */
export const inputOf = ({ text }: PageView, name: string): string =>
  [...text.matchAll(/<input ([^>]*)>/g)]
    .map(([, head = '']) => head)
    .find((head) => attributeOf(head, 'name') === name) ?? '';

const unescapeHtml = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The visible text of the page. */
export const wordsOf = ({ text }: PageView): string =>
  unescapeHtml(
    text.replace(/<\/?(?:bdi|a|span|strong|time)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '),
  ).replace(/\s+/g, ' ');
