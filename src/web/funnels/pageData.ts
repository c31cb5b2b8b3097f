/** The data of a page for its script, as JSON that runs nothing. */
import type { Step } from '../../funnels/rules/blocks.js';
import { fieldsOf } from '../../funnels/rules/flow.js';
import type { FunnelTexts } from '../../funnels/rules/texts.js';
import type { ShownFunnel } from '../../funnels/shown.js';
import { Markup, template } from '../render/template.js';
import { textsOf } from './document.js';
import type { PageData } from './types.js';

const script = template<{ json: Markup }>(
  '<script type="application/json" id="lw-data"><%= it.json %></script>\n',
);

/** @param path of the funnel, such as `/f/roofs` */
export const showPageData = (shown: ShownFunnel, steps: readonly Step[], path: string): Markup =>
  script({ json: jsonOf(dataOf(shown, steps, textsOf(shown), path)) });

function dataOf(
  { funnel, version, definition }: ShownFunnel,
  steps: readonly Step[],
  texts: FunnelTexts,
  path: string,
): PageData {
  const { certificates, embed } = definition;
  return {
    funnel: funnel._id,
    version,
    challenge: `${path}/challenge`,
    count: `${path}/count`,
    steps: steps.map((step) => ({ id: step.id, fields: fieldsOf(step) })),
    texts: {
      sending: texts.sending,
      retry: texts.retry,
      submit: texts.submit,
      step_of: texts.step_of,
      errors_title: texts.errors_title,
      required: texts.required,
      invalid: texts.invalid,
      invalid_name: texts.invalid_name,
      invalid_email: texts.invalid_email,
      invalid_phone: texts.invalid_phone,
      invalid_zip: texts.invalid_zip,
      invalid_date: texts.invalid_date,
      invalid_number: texts.invalid_number,
      too_long: texts.too_long,
      too_small: texts.too_small,
      too_large: texts.too_large,
      consent_required: texts.consent_required,
      unavailable: texts.unavailable,
      offline: texts.offline,
      too_many: texts.too_many,
      expired: texts.expired,
      wait: texts.wait,
    },
    trusted_form: certificates.trusted_form,
    jornaya_campaign_id: certificates.jornaya_campaign_id,
    framed_by: embed.domains,
  };
}

/** As the content of a script element, which `<` could end. */
const jsonOf = (value: object): Markup =>
  new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));
