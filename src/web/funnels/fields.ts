/** One question with its input: the keyboard that its type needs, and the autofill of browsers. */
import type { FieldRule } from '../../fields/fieldRule.js';
import { STATES } from '../../fields/normalize.js';
import type { Scalar } from '../../fields/values.js';
import type { FormField } from '../../funnels/rules/blocks.js';
import type { FunnelTexts } from '../../funnels/rules/texts.js';
import { isTypedNumber, type DecimalSeparator } from '../../funnels/rules/typedNumber.js';
import { getOwn } from '../../lib/getOwn.js';
import { attributes, element, template, type Attributes, type Markup } from '../render/template.js';

export interface FieldView {
  /** Unique on the page. */
  id: string;
  field: FormField;
  /** Undefined for full_name, which stands for two fields. */
  rule: FieldRule | undefined;
  /** The form or the campaign requires an answer. */
  isRequired: boolean;
  texts: FunnelTexts;
  /** Of numbers, in the language of the page. */
  decimal: DecimalSeparator;
  /** The value sent before. */
  value: string;
  /** Its fault, as a sentence. */
  fault: string | undefined;
  /** Half a row wide, where there is room. */
  isHalf: boolean;
}

/** What the ids of its description and of its fault end with: `f-phone` is described by `e-phone`. */
export const keyOf = (id: string): string => id.slice(2);

/** Beyond this number of choices, a list replaces them. */
const CARDS_MAX = 4;
/** Longer texts than this get several lines. */
const LINE_MAX = 300;

const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  full_name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  email: 'email',
  phone: 'tel',
  state: 'address-level1',
  zip_code: 'postal-code',
  zip: 'postal-code',
  postal_code: 'postal-code',
  city: 'address-level2',
  address: 'street-address',
  street: 'address-line1',
  street_address: 'street-address',
  address_line_1: 'address-line1',
  address_line_2: 'address-line2',
  country: 'country-name',
  company: 'organization',
  company_name: 'organization',
  job_title: 'organization-title',
  website_url: 'url',
  date_of_birth: 'bday',
  birth_date: 'bday',
  dob: 'bday',
};

const BY_TYPE: Partial<Record<FieldRule['type'], Attributes>> = {
  Phone: { type: 'tel', inputmode: 'tel', autocomplete: 'tel', 'data-check': 'phone' },
  Email: {
    type: 'email',
    inputmode: 'email',
    autocomplete: 'email',
    autocapitalize: 'none',
    spellcheck: 'false',
    'data-check': 'email',
  },
  'Zip / Postal Code': {
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'postal-code',
    maxlength: 10,
    'data-check': 'zip',
  },
  Date: { type: 'date', 'data-check': 'date' },
  Number: { type: 'text', inputmode: 'decimal' },
  URL: {
    type: 'url',
    inputmode: 'url',
    autocomplete: 'url',
    autocapitalize: 'none',
    spellcheck: 'false',
    'data-check': 'url',
  },
};

interface Parts {
  id: string;
  key: string;
  name: string;
  label: string;
  optional: string | undefined;
  help: string | undefined;
  fault: string | undefined;
  half: string;
  control: Markup;
}

const title = template<Parts>(
  '<%= it.label %><% if (it.optional) { %> <span class="opt"><%= it.optional %></span><% } %>',
);
/** The hint of a question, and the place of its fault. */
const notes = template<Parts>(`<% if (it.help) { %>
<p class="help" id="d-<%= it.key %>"><%= it.help %></p>
<% } %>
<p class="error" id="e-<%= it.key %>" data-error="<%= it.name %>"<% if (!it.fault) { %> hidden<% } %>><%= it.fault %></p>
`);

type Framed = Parts & { title: Markup; notes: Markup };
const framedBy =
  (frame: (framed: Framed) => Markup) =>
  (parts: Parts): Markup =>
    frame({ ...parts, title: title(parts), notes: notes(parts) });

const labelled = framedBy(
  template<Framed>(`<div class="field<%= it.half %>">
<label for="<%= it.id %>"><%= it.title %></label>
<%= it.control %>
<%= it.notes %>
</div>
`),
);
const grouped = framedBy(
  template<Framed>(`<fieldset class="field choices">
<legend><%= it.title %></legend>
<%= it.control %>
<%= it.notes %>
</fieldset>
`),
);

const area = template<{ attributes: Markup; value: string }>(
  // HTML drops the first line break of its text.
  '<textarea<%= it.attributes %>>\n<%= it.value %></textarea>',
);
const select = template<{
  attributes: Markup;
  choose: string;
  options: readonly { attributes: Markup; label: string }[];
}>(`<select<%= it.attributes %>>
<option value=""><%= it.choose %></option>
<% for (const option of it.options) { %>
<option<%= option.attributes %>><%= option.label %></option>
<% } %>
</select>`);
const cards = template<{
  options: readonly { input: Markup; label: string }[];
}>(`<div class="options">
<% for (const option of it.options) { %>
<label class="option"><%= option.input %><span><%= option.label %></span></label>
<% } %>
</div>`);

/** A label, its input, its hint, and the place of its fault. */
export function showField(view: FieldView): Markup {
  const { id, field, rule, isRequired: required, texts, value, fault } = view;
  const key = keyOf(id);
  const describedBy = [field.help === undefined ? '' : `d-${key}`, `e-${key}`].join(' ').trim();
  const common: Attributes = {
    required,
    'aria-invalid': fault === undefined ? undefined : 'true',
    'aria-describedby': describedBy,
  };
  const named: Attributes = { id, name: `f.${field.name}`, ...common };
  const parts = {
    id,
    key,
    name: field.name,
    label: field.label,
    optional: required ? undefined : texts.optional,
    help: field.help,
    fault,
    half: view.isHalf ? ' half' : '',
  };
  const choices = choicesOf(field, rule, texts);
  if (choices && choices.length <= CARDS_MAX) {
    const options = choices.map((choice, n) => ({
      label: choice.label,
      input: element('input', {
        ...common,
        id: n === 0 ? id : `${id}-${n + 1}`,
        type: 'radio',
        name: `f.${field.name}`,
        value: String(choice.value),
        checked: String(choice.value) === value,
      }),
    }));
    return grouped({ ...parts, control: cards({ options }) });
  }
  if (choices) {
    const autocomplete = getOwn(AUTOCOMPLETE, field.name);
    const options = choices.map((choice) => ({
      label: choice.label,
      attributes: attributes({
        value: String(choice.value),
        selected: String(choice.value) === value,
      }),
    }));
    const control = select({
      attributes: attributes({ ...named, autocomplete }),
      choose: texts.choose,
      options,
    });
    return labelled({ ...parts, control });
  }
  const limits: Attributes = {
    placeholder: field.placeholder,
    maxlength: rule?.max_length,
    'data-min': rule?.min,
    'data-max': rule?.max,
  };
  if (isLong(field, rule)) {
    const control = area({ attributes: attributes({ ...named, ...limits }), value });
    return labelled({ ...parts, control });
  }
  const typed = (rule && BY_TYPE[rule.type]) ?? { type: 'text', autocomplete: 'off' };
  const numeric = rule?.type === 'Number' ? numberChecks(rule, view.decimal) : {};
  const autocomplete = getOwn(AUTOCOMPLETE, field.name) ?? typed.autocomplete ?? 'off';
  // A page cannot know what the transform leaves of a text.
  const check = rule?.transforms?.includes('digits') ? { 'data-check': undefined } : {};
  const typing = { ...named, ...limits, ...typed, ...check, ...numeric, autocomplete, value };
  return labelled({ ...parts, control: element('input', typing) });
}

const numberChecks = (rule: FieldRule, decimal: DecimalSeparator): Attributes =>
  isTypedNumber(rule)
    ? { 'data-check': 'number', 'data-decimal': decimal === ',' ? decimal : undefined }
    : { 'data-check': 'digits' };

const isLong = ({ name }: FormField, rule: FieldRule | undefined): boolean =>
  rule?.type === 'String' &&
  ((rule.max_length ?? 0) > LINE_MAX || /^(?:message|comments?|notes?|description)$/.test(name));

interface Choice {
  value: Scalar;
  label: string;
}

/** The choices; undefined where the answer is typed. */
function choicesOf(
  { options }: FormField,
  rule: FieldRule | undefined,
  texts: FunnelTexts,
): readonly Choice[] | undefined {
  if (options) return options;
  const type = rule?.type;
  if (type === 'List of Allowed Values')
    return (rule?.allowed_values ?? []).map((value) => ({ value, label: value }));
  if (type === 'State') return STATES.map(([value, label]) => ({ value, label }));
  if (type !== 'Boolean') return undefined;
  return [
    { value: true, label: texts.yes },
    { value: false, label: texts.no },
  ];
}

/** Which fields share a row with their neighbor: names, and parts of an address. */
export function halves(fields: readonly FormField[]): boolean[] {
  const isShort = (field: FormField | undefined): boolean =>
    field !== undefined && SHORT.has(field.name);
  const half = fields.map(() => false);
  for (let at = 0; at < fields.length; at += 1) {
    if (!isShort(fields[at]) || !isShort(fields[at + 1])) continue;
    half[at] = true;
    half[at + 1] = true;
    at += 1;
  }
  return half;
}

const SHORT: ReadonlySet<string> = new Set([
  'first_name',
  'last_name',
  'city',
  'state',
  'zip_code',
]);
