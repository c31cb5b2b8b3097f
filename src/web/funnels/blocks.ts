/** The content blocks, each as HTML; their texts are escaped. */
import type { Block } from '../../funnels/rules/blocks.js';
import type { FunnelTexts } from '../../funnels/rules/texts.js';
import { attributes, element, Markup, template } from '../render/template.js';
import { iconOf } from './icons.js';

type Of<T extends Block['type']> = Extract<Block, { type: T }>;
type Content = Exclude<Block, { type: 'quiz_step' | 'form' | 'footer' }>;

export interface BlockContext {
  texts: FunnelTexts;
  /** The language of the page, for captions. */
  language: string;
  /** Where a picture of the funnel is served. */
  pictureUrl: (name: string) => string;
  /** Where buttons link to: the form. */
  formAt: string;
}

const hero = template<{
  title: string;
  subtitle: string | undefined;
  image: Markup | undefined;
}>(`<div class="block hero">
<h1><%= it.title %></h1>
<% if (it.subtitle) { %>
<p class="lead"><%= it.subtitle %></p>
<% } %>
<%= it.image %>
</div>
`);

const cta = template<Of<'cta'> & { href: string }>(`<div class="block cta">
<% if (it.text) { %>
<p><%= it.text %></p>
<% } %>
<a class="button" href="<%= it.href %>" data-go="current"><%= it.label %></a>
</div>
`);

const heading = template<{ title?: string | undefined }>(
  '<% if (it.title) { %><h2><%= it.title %></h2>\n<% } %>',
);

const testimonials = template<{
  heading: Markup;
  items: readonly (Of<'testimonials'>['items'][number] & { stars: Markup | undefined })[];
}>(`<section class="block testimonials">
<%= it.heading %><ul class="quotes">
<% for (const item of it.items) { %>
<li><figure class="quote"><%= item.stars %><blockquote><p><%= item.quote %></p></blockquote>
<figcaption><b><%= item.name %></b><% if (item.location) { %><span><%= item.location %></span><% } %></figcaption></figure></li>
<% } %>
</ul>
</section>
`);

const stars = template<{ label: string; on: readonly Markup[]; off: readonly Markup[] }>(
  '<div class="stars" role="img" aria-label="<%= it.label %>"><%= it.on %><% if (it.off.length > 0) { %><span class="stars off"><%= it.off %></span><% } %></div>\n',
);

const badges = template<{
  items: readonly { label: string; icon: Markup }[];
}>(`<ul class="block badges">
<% for (const item of it.items) { %>
<li><%= item.icon %><span><%= item.label %></span></li>
<% } %>
</ul>
`);

const paragraphs = template<{
  heading: Markup;
  paragraphs: readonly string[];
}>(`<section class="block text">
<%= it.heading %><% for (const paragraph of it.paragraphs) { %>
<p><%= paragraph %></p>
<% } %>
</section>
`);

const video = template<{
  heading: Markup;
  video: Markup;
  track: Markup | undefined;
  url: string;
  play: string;
}>(`<section class="block video">
<%= it.heading %><video<%= it.video %>><%= it.track %><a href="<%= it.url %>"><%= it.play %></a></video>
</section>
`);

const faq = template<{
  heading: Markup;
  items: Of<'faq'>['items'];
}>(`<section class="block faq">
<%= it.heading %><% for (const item of it.items) { %>
<details><summary><%= item.question %></summary><p><%= item.answer %></p></details>
<% } %>
</section>
`);

const custom = template<{ html: Markup }>(`<div class="block custom"><%= it.html %></div>
`);

const RATING_MAX = 5;

function starsOf(rating: number, { stars: text }: FunnelTexts): Markup {
  const star = iconOf('star', true);
  return stars({
    label: text.replace('{rating}', String(rating)),
    on: Array.from({ length: rating }, () => star),
    off: Array.from({ length: RATING_MAX - rating }, () => star),
  });
}

function heroOf(block: Of<'hero'>, { pictureUrl }: BlockContext): Markup {
  const image =
    block.image === undefined
      ? undefined
      : element('img', {
          src: pictureUrl(block.image),
          alt: block.image_alt,
          fetchpriority: 'high',
          decoding: 'async',
        });
  return hero({ title: block.title, subtitle: block.subtitle, image });
}

/** The visitor's browser loads nothing from the video's host before the visitor plays it. */
function videoOf(block: Of<'video'>, { language, texts }: BlockContext): Markup {
  const { title, url, captions_url: captionsUrl } = block;
  return video({
    heading: heading({ title }),
    url,
    play: texts.play,
    video: attributes({
      src: url,
      controls: true,
      playsinline: true,
      preload: 'none',
      'aria-label': title,
      // Only with this attribute does a video read captions of another origin.
      crossorigin: captionsUrl === undefined ? undefined : 'anonymous',
    }),
    track:
      captionsUrl === undefined
        ? undefined
        : element('track', {
            kind: 'captions',
            src: captionsUrl,
            srclang: language,
            label: title,
            default: true,
          }),
  });
}

/** One block as the page shows it. */
export function showBlock(block: Content, context: BlockContext): Markup {
  switch (block.type) {
    case 'hero':
      return heroOf(block, context);
    case 'cta':
      return cta({ ...block, href: context.formAt });
    case 'testimonials':
      return testimonials({
        heading: heading(block),
        items: block.items.map((item) => ({
          ...item,
          stars: item.rating === undefined ? undefined : starsOf(item.rating, context.texts),
        })),
      });
    case 'trust_badges':
      return badges({
        items: block.items.map(({ label, icon }) => ({ label, icon: iconOf(icon) })),
      });
    case 'text':
      return paragraphs({
        heading: heading(block),
        paragraphs: block.text.split(/\n\s*\n/).filter((text) => text.trim() !== ''),
      });
    case 'video':
      return videoOf(block, context);
    case 'faq':
      return faq({ heading: heading(block), items: block.items });
    case 'custom_code':
      // It was cleaned before it was stored, and is shown only where funnels have an origin of their own.
      return custom({ html: new Markup(block.html) });
  }
}

const footer = template<{ blocks: readonly Of<'footer'>[] }>(`<footer class="foot">
<% for (const block of it.blocks) { %>
<div>
<% if (block.text) { %>
<p><%= block.text %></p>
<% } %>
<% if (block.links.length > 0) { %>
<ul>
<% for (const link of block.links) { %>
<li><a href="<%= link.url %>" target="_blank" rel="noopener"><%= link.label %></a></li>
<% } %>
</ul>
<% } %>
</div>
<% } %>
</footer>
`);

/** All feet of the page as one. */
export const showFooter = (blocks: readonly Of<'footer'>[]): Markup | undefined =>
  blocks.length === 0 ? undefined : footer({ blocks });

export type { Content as ContentBlock };
export type FooterBlock = Of<'footer'>;
