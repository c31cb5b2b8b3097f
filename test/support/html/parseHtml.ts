/** Parses a document into elements: well-formed HTML only, without a browser's leniency. */

export interface HtmlElement {
  /** In lower case. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly (HtmlElement | string)[];
  parent: HtmlElement | null;
}

type Opened = HtmlElement & { children: (HtmlElement | string)[] };

/** A comment, a doctype, a tag, or the text up to the next of them. */
const PIECE =
  /<!--[\s\S]*?-->|<![^>]*>|<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>|[^<]+|</g;
const ATTRIBUTE = /([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** Void elements. */
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Their content is not markup. */
const RAW = new Set(['script', 'style', 'title', 'textarea']);

/** @returns an element named `#document` that contains everything */
export function parseHtml(html: string): HtmlElement {
  const document = element('#document', new Map(), null);
  let at: Opened = document;
  for (let piece = next(html, 0); piece; piece = next(html, piece.end)) {
    const { text, closes, name, written } = piece;
    if (name === undefined) {
      if (!text.startsWith('<!')) at.children.push(decode(text));
    } else if (closes) {
      at = closed(at, name);
    } else {
      const opened = element(name, attributesOf(written), at);
      at.children.push(opened);
      if (RAW.has(name)) piece.end = fillRaw(opened, html, piece.end);
      else if (!VOID.has(name)) at = opened;
    }
  }
  return document;
}

/** All elements below it, in the order of the document. */
export const descendants = (of: HtmlElement): HtmlElement[] =>
  of.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...descendants(child)]));

/** The first of these elements below it. */
export const find = (of: HtmlElement, ...names: string[]): HtmlElement | undefined =>
  descendants(of).find(({ name }) => names.includes(name));

/** The text of the element, with runs of white space as one space. */
export const textOf = (of: HtmlElement): string => rawTextOf(of).replace(/\s+/g, ' ').trim();

export const attribute = (of: HtmlElement, name: string): string | undefined =>
  of.attributes.get(name);

/** Whether the element, or one that contains it, matches. */
export const isWithin = (of: HtmlElement, is: (one: HtmlElement) => boolean): boolean =>
  is(of) || (of.parent !== null && isWithin(of.parent, is));

const rawTextOf = ({ name, children }: HtmlElement): string =>
  name === 'script' || name === 'style' || name === 'title'
    ? ''
    : children
        .map((child) => (typeof child === 'string' ? child : ` ${rawTextOf(child)} `))
        .join('');

interface Piece {
  text: string;
  closes: boolean;
  /** The name of a tag. */
  name: string | undefined;
  /** The attributes of a tag, unparsed. */
  written: string;
  end: number;
}

function next(html: string, from: number): Piece | null {
  PIECE.lastIndex = from;
  const match = PIECE.exec(html);
  if (!match) return null;
  const [text, slash, name, written = ''] = match;
  return {
    text,
    written,
    closes: slash === '/',
    name: name?.toLowerCase(),
    end: match.index + text.length,
  };
}

const element = (
  name: string,
  attributes: ReadonlyMap<string, string>,
  parent: HtmlElement | null,
): Opened => ({ name, attributes, parent, children: [] });

/** The element that is open after the nearest one of this name ends; an end tag without a start tag ends nothing. */
function closed(at: Opened, name: string): Opened {
  for (let one: HtmlElement | null = at; one; one = one.parent)
    if (one.name === name) return (one.parent ?? one) as Opened;
  return at;
}

/** Adds the text up to the element's end tag, and returns where the document continues. */
function fillRaw(opened: Opened, html: string, from: number): number {
  const end = html.toLowerCase().indexOf(`</${opened.name}`, from);
  const until = end < 0 ? html.length : end;
  const text = html.slice(from, until);
  const isCode = opened.name === 'script' || opened.name === 'style';
  opened.children.push(isCode ? text : decode(text));
  const after = html.indexOf('>', until);
  return after < 0 ? html.length : after + 1;
}

const attributesOf = (written: string): Map<string, string> =>
  new Map(
    [...written.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  );

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

const decode = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return NAMED.get(name.toLowerCase()) ?? whole;
    return String.fromCodePoint(
      typeof hex === 'string' ? parseInt(hex, 16) : parseInt(String(decimal), 10),
    );
  });
