/** The steps of a funnel as one form: every step in the document, so that it can be filled in and sent without script. */
import type { FieldRule } from '../../fields/fieldRule.js';
import type { FormStep, QuizStep, Step } from '../../funnels/rules/blocks.js';
import type { FunnelDefinition } from '../../funnels/rules/definition.js';
import { fieldsOf } from '../../funnels/rules/flow.js';
import type { FunnelTexts } from '../../funnels/rules/texts.js';
import { decimalSeparatorOf } from '../../funnels/rules/typedNumber.js';
import { getOwn } from '../../lib/getOwn.js';
import { attributes, element, template, type Markup } from '../render/template.js';
import { halves, keyOf, showField } from './fields.js';
import { iconOf } from './icons.js';
import type { PageState } from './types.js';

export interface StepContext {
  definition: FunnelDefinition;
  rules: ReadonlyMap<string, FieldRule>;
  /** Whether the campaign refuses a lead without an answer to this question. */
  isNeeded: (name: string) => boolean;
  texts: FunnelTexts;
  state: PageState;
  /** For each question the id of its first input: a field may be asked on two branches. */
  ids: ReadonlyMap<string, string>;
  /** The step that is shown first. */
  currentId: string;
}

/** Identifies a question among all of the page. */
export const questionKey = (stepId: string, field: string): string => `${stepId} ${field}`;

/** An id for each question; where another branch asks the field again, the id contains the step too. */
export function questionIds(steps: readonly Step[]): Map<string, string> {
  const ids = new Map<string, string>();
  const seen = new Set<string>();
  for (const step of steps) {
    for (const field of fieldsOf(step)) {
      const id = seen.has(field) ? `f-${step.id}-${field}` : `f-${field}`;
      seen.add(field);
      ids.set(questionKey(step.id, field), id);
    }
  }
  return ids;
}

const frame = template<{
  fieldset: Markup;
  id: string;
  title: string;
  text: string | undefined;
  body: readonly Markup[];
  nav: Markup;
}>(`<fieldset<%= it.fieldset %>>
<legend><h2 id="h-<%= it.id %>" tabindex="-1"><%= it.title %></h2></legend>
<% if (it.text) { %>
<p class="text no-wrap"><%= it.text %></p>
<% } %>
<%= it.body %><%= it.nav %></fieldset>
`);

const nav = template<{
  back: string | undefined;
  next: string | undefined;
  submit: string | undefined;
}>(`<div class="nav">
<% if (it.back) { %>
<button type="button" class="back lw-js" data-go="back"><%= it.back %></button>
<% } %>
<% if (it.next) { %>
<button type="button" class="next lw-js" data-go="next"><%= it.next %></button>
<% } %>
<% if (it.submit) { %>
<button type="submit" class="submit" id="lw-submit"><%= it.submit %></button>
<% } %>
</div>
`);

/** @param at its place among the steps */
export function showStep(
  step: Step,
  at: { isFirst: boolean; isLast: boolean },
  context: StepContext,
): Markup {
  const { texts, state } = context;
  const isCurrent = step.id === context.currentId;
  const button = step.type === 'form' ? step.button : undefined;
  const send = state.notice === undefined ? (button ?? texts.submit) : texts.retry;
  return frame({
    fieldset: attributes({
      class: isCurrent ? 'step is-current' : 'step',
      id: `step-${step.id}`,
      'data-step': step.id,
      'data-kind': step.type,
    }),
    id: step.id,
    title: step.title,
    text: step.text,
    body:
      step.type === 'quiz_step'
        ? [showOptions(step, context)]
        : [showFields(step, context), ...(at.isLast ? [showConsent(context)] : [])],
    nav: nav({
      back: at.isFirst ? undefined : texts.back,
      next: at.isLast ? undefined : (button ?? texts.continue),
      submit: at.isLast ? send : undefined,
    }),
  });
}

const options = template<{
  kind: string;
  options: readonly { input: Markup; mark: Markup | undefined; label: string }[];
  error: Markup;
}>(`<div class="options<%= it.kind %>">
<% for (const option of it.options) { %>
<label class="option"><%= option.input %><%= option.mark %><span><%= option.label %></span></label>
<% } %>
</div>
<%= it.error %>`);

const error = template<{ key: string; field: string; fault: string | undefined }>(
  '<p class="error" id="e-<%= it.key %>" data-error="<%= it.field %>"<% if (!it.fault) { %> hidden<% } %>><%= it.fault %></p>\n',
);

const mark = template<{ mark: string | Markup }>(
  '<span class="mark" aria-hidden="true"><%= it.mark %></span>',
);

/** With this many options or more, two stand in a row where there is room. */
const ROWS_MIN = 4;

function showOptions(step: QuizStep, context: StepContext): Markup {
  const { definition } = context;
  const id = idOf(step, step.field, context);
  const sent = valueOf(step.field, context);
  const fault = faultOf(step.id, step.field, context);
  const style = definition.theme.optionIconStyle;
  return options({
    kind: step.options.length >= ROWS_MIN ? ' cards' : '',
    options: step.options.map((option, n) => ({
      label: option.label,
      mark: markOf(option[style === 'none' ? 'label' : style], style),
      input: element('input', {
        type: 'radio',
        id: n === 0 ? id : `${id}-${n + 1}`,
        name: `f.${step.field}`,
        value: String(option.value),
        checked: String(option.value) === sent,
        required: step.required,
        'aria-invalid': fault === undefined ? undefined : 'true',
        'aria-describedby': `e-${keyOf(id)}`,
        'data-next': option.next,
        'data-end': option.not_qualified,
      }),
    })),
    error: error({ key: keyOf(id), field: step.field, fault }),
  });
}

type Style = FunnelDefinition['theme']['optionIconStyle'];

function markOf(shown: string | undefined, style: Style): Markup | undefined {
  if (shown === undefined || style === 'none') return undefined;
  return mark({ mark: style === 'icon' ? iconOf(shown as Parameters<typeof iconOf>[0]) : shown });
}

const fields = template<{ fields: readonly Markup[] }>(
  '<div class="fields">\n<%= it.fields %></div>\n',
);

function showFields(step: FormStep, context: StepContext): Markup {
  const { definition, rules, isNeeded, texts } = context;
  const half = halves(step.fields);
  const decimal = decimalSeparatorOf(definition.language);
  return fields({
    fields: step.fields.map((field, n) =>
      showField({
        id: idOf(step, field.name, context),
        field,
        rule: rules.get(field.name),
        isRequired: field.required === true || isNeeded(field.name),
        texts,
        decimal,
        value: valueOf(field.name, context),
        fault: faultOf(step.id, field.name, context),
        isHalf: half[n] === true,
      }),
    ),
  });
}

const consent = template<{
  input: Markup;
  text: string;
  sellers: string | undefined;
  error: Markup;
}>(`<div class="consent">
<label><%= it.input %><span id="lw-consent"><%= it.text %></span></label>
<% if (it.sellers) { %>
<p class="help" id="d-consent"><%= it.sellers %></p>
<% } %>
<%= it.error %></div>
`);

/** Never ticked beforehand: only the visitor's own tick stays, when the page comes back with the answers. */
function showConsent(context: StepContext): Markup {
  const { definition, texts, state } = context;
  const { text, sellers } = definition.consent;
  const fault = state.faults?.find(({ field }) => field === 'consent');
  return consent({
    input: element('input', {
      type: 'checkbox',
      id: 'f-consent',
      name: 'consent',
      value: 'yes',
      required: true,
      checked: state.values?.consent === 'yes',
      'aria-invalid': fault ? 'true' : undefined,
      'aria-describedby': sellers.length > 0 ? 'd-consent e-consent' : 'e-consent',
    }),
    text,
    sellers:
      sellers.length > 0 ? texts.sellers.replace('{sellers}', () => sellers.join(', ')) : undefined,
    error: error({ key: 'consent', field: 'consent', fault: fault && faultText(fault, texts) }),
  });
}

const idOf = (step: Step, field: string, { ids }: StepContext): string =>
  ids.get(questionKey(step.id, field)) ?? `f-${field}`;

const valueOf = (field: string, { state }: StepContext): string =>
  getOwn(state.values, `f.${field}`) ?? '';

function faultOf(stepId: string, field: string, { state, texts }: StepContext): string | undefined {
  const found = state.faults?.find((fault) => fault.step === stepId && fault.field === field);
  return found && faultText(found, texts);
}

/** The fault, as a sentence in the language of the page. */
export const faultText = (
  { text, limit }: NonNullable<PageState['faults']>[number],
  texts: FunnelTexts,
): string => texts[text].replace('{limit}', String(limit ?? ''));
