/** The document around a funnel's content: its head, its language, its logo and its foot. */
import type { Call, Reply } from '../../api/http/endpoint.js';
import { packText } from '../../api/http/servedFile.js';
import type { ShownFunnel } from '../../funnels/shown.js';
import { funnelTexts, type FunnelTexts } from '../../funnels/rules/texts.js';
import { AppError } from '../../lib/errors.js';
import { attributes, element, Markup, template } from '../render/template.js';
import { showFooter, type FooterBlock } from './blocks.js';
import { STYLE_PATH } from './files.js';
import { bareHeaders, funnelHeaders } from './headers.js';
import { themeFile } from './theme.js';
import type { EntryFiles } from '../server/assets.js';

interface Layout {
  html: Markup;
  title: string;
  description: string | undefined;
  locale: string;
  isListed: boolean;
  image: string | undefined;
  color: string;
  icon: string;
  styles: readonly string[];
  script: EntryFiles | null;
  band: string | undefined;
  logo: Markup | undefined;
  content: Markup;
  footer: Markup | undefined;
  data: Markup | undefined;
}

const layout = template<Layout>(`<!doctype html>
<html<%= it.html %>>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %></title>
<% if (it.description) { %>
<meta name="description" content="<%= it.description %>">
<meta property="og:description" content="<%= it.description %>">
<% } %>
<meta property="og:type" content="website">
<meta property="og:title" content="<%= it.title %>">
<meta property="og:locale" content="<%= it.locale %>">
<% if (it.image) { %>
<meta property="og:image" content="<%= it.image %>">
<% } %>
<% if (!it.isListed) { %>
<meta name="robots" content="noindex">
<% } %>
<meta name="format-detection" content="telephone=no">
<meta name="theme-color" content="<%= it.color %>">
<link rel="icon" href="<%= it.icon %>">
<% for (const style of it.styles) { %>
<link rel="stylesheet" href="<%= style %>">
<% } %>
<% if (it.script) { %>
<% for (const script of it.script.preloads) { %>
<link rel="modulepreload" href="<%= script %>">
<% } %>
<script type="module" src="<%= it.script.script %>"></script>
<% } %>
</head>
<body>
<div class="stage">
<% if (it.band || it.logo) { %>
<header>
<% if (it.band) { %>
<p class="band"><%= it.band %></p>
<% } %>
<% if (it.logo) { %>
<div class="site"><%= it.logo %></div>
<% } %>
</header>
<% } %>
<main id="lw-main">
<%= it.content %>
</main>
</div>
<%= it.footer %><%= it.data %>
</body>
</html>
`);

export interface DocumentParts {
  content: Markup;
  /** Before the title, such as that there is a fault. */
  isFaulty?: boolean;
  /** Search engines may list it. */
  isListed?: boolean;
  script?: EntryFiles | null;
  /** The address of the site, for pictures that other sites show. */
  site?: string;
  /** JSON for the script. */
  data?: Markup;
}

/** Where a picture of the funnel is served: its name is `asset:{sha256}`. */
export const pictureUrlOf =
  ({ funnel }: ShownFunnel) =>
  (name: string): string =>
    name.startsWith('asset:')
      ? `/f/${encodeURIComponent(funnel.slug)}/pictures/${name.slice('asset:'.length)}`
      : name;

export const textsOf = ({ definition }: ShownFunnel): FunnelTexts =>
  funnelTexts(definition.language, definition.texts);

const RIGHT_TO_LEFT = /^(?:ar|he|iw|fa|ur|ps|sd|ug|yi|dv|ckb|ku-arab|pa-arab)(?:-|$)/i;

/** The document of a funnel as the answer to a request. */
export function documentOf(
  shown: ShownFunnel,
  parts: DocumentParts,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Reply {
  const { definition, isPreview } = shown;
  const { theme, language } = definition;
  const texts = textsOf(shown);
  const pictureUrl = pictureUrlOf(shown);
  const footers = definition.blocks.filter(
    (block): block is FooterBlock => block.type === 'footer',
  );
  const body = layout({
    html: attributes({ lang: language, dir: RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr' }),
    title: parts.isFaulty ? `${texts.errors_title} – ${definition.title}` : definition.title,
    description: definition.description,
    locale: language.replace('-', '_'),
    isListed: parts.isListed === true && !isPreview,
    image: sharedPicture(shown, parts.site),
    color: theme.backgroundColor,
    icon: faviconOf(definition.title, theme.primaryColor, theme.buttonTextColor),
    styles: [STYLE_PATH, `/f/assets/${themeFile(theme)}`],
    script: parts.script ?? null,
    band: isPreview ? texts.test : undefined,
    logo:
      theme.logoUrl === null
        ? undefined
        : element('img', {
            src: pictureUrl(theme.logoUrl),
            alt: theme.logoAlt ?? definition.title,
          }),
    content: parts.content,
    footer: showFooter(footers),
    data: parts.data,
  }).html;
  return { status, headers: { ...funnelHeaders(definition), ...headers }, body };
}

/** The picture that other sites show with the address: the one of the head, else the logo. */
function sharedPicture(shown: ShownFunnel, site: string | undefined): string | undefined {
  const { blocks, theme } = shown.definition;
  const heads = blocks.map((block) => (block.type === 'hero' ? block.image : undefined));
  const name = heads.find((image) => image !== undefined) ?? theme.logoUrl;
  if (!name || site === undefined) return undefined;
  return new URL(pictureUrlOf(shown)(name), site).href;
}

/** The first letter of the title on the color of buttons. */
function faviconOf(title: string, color: string, letterColor: string): string {
  const letter = new Intl.Segmenter().segment(title.trim())[Symbol.iterator]().next()
    .value?.segment;
  const text = attributes({ fill: letterColor }).html;
  const drawn = shape({ color, text: new Markup(text), letter: (letter ?? '').toUpperCase() }).html;
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`;
}

const shape = template<{ color: string; text: Markup; letter: string }>(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="<%= it.color %>"/><text x="16" y="22" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="18"<%= it.text %>><%= it.letter %></text></svg>',
);

const bare = template<{ title: string; text: string; styles: readonly string[] }>(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %></title>
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<% for (const style of it.styles) { %>
<link rel="stylesheet" href="<%= style %>">
<% } %>
</head>
<body>
<main class="result"><h1><%= it.title %></h1><p><%= it.text %></p></main>
</body>
</html>
`);

const PLAIN_THEME = {
  primaryColor: '#1d4ed8',
  accentColor: '#0f766e',
  backgroundColor: '#ffffff',
  textColor: '#1f2937',
  buttonTextColor: '#ffffff',
  fontFamily: 'system',
  radius: 8,
} as const;

/** A document without a funnel, such as that there is nothing at an address. */
const barePage = (status: number, title: string, text: string): Reply => ({
  status,
  headers: bareHeaders(),
  body: bare({ title, text, styles: [STYLE_PATH, `/f/assets/${themeFile(PLAIN_THEME)}`] }).html,
});

const TITLES: Partial<Record<AppError['code'], string>> = {
  not_found: 'Page not found',
  rate_limited: 'Too many requests',
  body_too_large: 'Too much data',
  unavailable: 'Temporarily unavailable',
};

/** A refusal as a page, where no funnel can be shown. */
export const refusalPage = ({ code, status, message }: AppError, call: Call): Promise<Reply> =>
  packText(barePage(status, TITLES[code] ?? 'Request failed', message), call);

/** The refusal of an address without a funnel. */
export const nothingHere = (): AppError =>
  new AppError('not_found', 'There is no form at this address. Check its spelling.');
