/** The data of a page for its script, as JSON that runs nothing. */
import type { ShownFunnel } from '../../funnels/shown.js';
import { Markup, template } from '../render/template.js';
import { textsOf } from './document.js';
import { SCRIPT_TEXTS, type PageData } from './types.js';

const script = template<{ json: Markup }>(
  '<script type="application/json" id="lw-data"><%= it.json %></script>\n',
);

/** @param path of the funnel, such as `/f/roofs` */
export function showPageData(shown: ShownFunnel, path: string): Markup {
  const { funnel, version } = shown;
  const { certificates } = shown.definition;
  const texts = textsOf(shown);
  const data: PageData = {
    funnel: funnel._id,
    version,
    challenge: `${path}/challenge`,
    count: `${path}/count`,
    texts: Object.fromEntries(SCRIPT_TEXTS.map((name) => [name, texts[name]])) as PageData['texts'],
    trusted_form: certificates.trusted_form,
    jornaya_campaign_id: certificates.jornaya_campaign_id,
  };
  return script({ json: jsonOf(data) });
}

/** As the content of a script element, which `<` could end. */
const jsonOf = (value: object): Markup =>
  new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
