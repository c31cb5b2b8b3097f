/** How a visit ends: thanks, no buyer, not qualified, refused; and that a funnel is closed. */
import type { Reply } from '../../api/http/endpoint.js';
import type { ShownFunnel } from '../../funnels/shown.js';
import { template, type Markup } from '../render/template.js';
import { documentOf, textsOf } from './document.js';
import { iconOf } from './icons.js';
import type { ShownResult } from './protocol.js';
import type { FunnelResult } from './types.js';

const content = template<{ icon: Markup; title: string; text: string | null }>(
  `<div class="result" id="lw-result"><span class="seal"><%= it.icon %></span>
<h1 tabindex="-1"><%= it.title %></h1>
<% if (it.text) { %>
<p><%= it.text %></p>
<% } %>
</div>`,
);

/** The text of a result, or the address that it redirects to. */
export function resultText(shown: ShownFunnel, result: FunnelResult): ShownResult {
  const { definition } = shown;
  const texts = textsOf(shown);
  switch (result.kind) {
    case 'thanks':
      return pageText(definition.thanks);
    case 'no_buyer':
      return pageText(definition.no_buyer);
    case 'not_qualified': {
      const page = definition.not_qualified_pages.find(({ id }) => id === result.page);
      return page ? pageText(page) : plain(texts.refused);
    }
    case 'refused':
      return plain(texts.refused);
    case 'closed':
      return { title: texts.closed_title, text: texts.closed, redirect_url: null };
  }
}

const plain = (title: string): ShownResult => ({ title, text: null, redirect_url: null });

const pageText = ({
  title,
  text,
  redirect_url: redirectUrl,
}: ShownFunnel['definition']['thanks']): ShownResult => ({
  title,
  text: text ?? null,
  redirect_url: redirectUrl ?? null,
});

const ICONS = {
  thanks: 'check',
  no_buyer: 'heart',
  not_qualified: 'heart',
  refused: 'alert',
  closed: 'clock',
} as const;

/** The result as a separate page; it does not redirect. */
export function renderResult(
  shown: ShownFunnel,
  result: FunnelResult,
  reply: { status?: number; headers?: Record<string, string> } = {},
): Reply {
  const { title, text } = resultText(shown, result);
  return documentOf(
    shown,
    { content: content({ icon: iconOf(ICONS[result.kind]), title, text }) },
    reply,
  );
}
