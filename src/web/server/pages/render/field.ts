/** The parts of forms: labelled fields with their hints and faults, hidden values, buttons. */
import { attributes, element, template, type Markup } from '../../../render/template.js';

export interface Field {
  name: string;
  label: string;
  /** Unique on the page; default: the name. */
  id?: string;
  type?: 'text' | 'email' | 'password';
  /** What was typed before. Passwords and codes are never sent back. */
  value?: string;
  /** A sentence under the label. */
  hint?: string;
  /** Its fault, as a sentence. */
  fault?: string;
  autocomplete: string;
  inputmode?: 'numeric';
  maxlength?: number;
  isOptional?: boolean;
  /** The page opens with the cursor in it. */
  hasFocus?: boolean;
}

interface FieldParts {
  id: string;
  label: string;
  hint: string | undefined;
  fault: string | undefined;
  input: Markup;
}

const fill = template<FieldParts>(`<div class="field">
<label for="<%= it.id %>"><%= it.label %></label>
<% if (it.hint) { %>
<p class="hint" id="<%= it.id %>-hint"><%= it.hint %></p>
<% } %>
<%= it.input %>
<% if (it.fault) { %>
<p class="fault" id="<%= it.id %>-fault"><%= it.fault %></p>
<% } %>
</div>
`);

/** One labelled input. Its hint and its fault describe it (`aria-describedby`). */
export function field(given: Field): Markup {
  const { name, label, id = name, type = 'text', hint, fault } = given;
  const describedBy = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const input = element('input', {
    id,
    name,
    type,
    value: given.value,
    autocomplete: given.autocomplete,
    inputmode: given.inputmode,
    maxlength: given.maxlength,
    autocapitalize: type === 'text' && given.inputmode === undefined ? undefined : 'none',
    spellcheck: 'false',
    required: given.isOptional !== true,
    'aria-invalid': fault === undefined ? undefined : 'true',
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    autofocus: given.hasFocus === true,
  });
  return fill({ id, label, hint, fault, input });
}

export interface Form {
  action: string;
  /** Values that are sent along; undefined ones are not. */
  hidden?: Record<string, string | undefined>;
  fields?: readonly Markup[];
  button: string;
  /** quiet: next to a more important one; danger: ends something. */
  kind?: 'primary' | 'quiet' | 'danger';
  /** What the button does, where its text alone does not explain it. */
  describes?: string;
  isInline?: boolean;
}

interface FormParts {
  form: Markup;
  hidden: readonly Markup[];
  fields: readonly Markup[];
  button: string;
  attributes: Markup;
}

const fillForm = template<FormParts>(`<form method="post"<%= it.form %>>
<%= it.hidden %><%= it.fields %><button type="submit"<%= it.attributes %>><%= it.button %></button>
</form>
`);

/** A form with one button. The server checks the input, so that its texts appear at the fields. */
export function form({ action, hidden = {}, fields = [], button, ...given }: Form): Markup {
  const values = Object.entries(hidden).filter(([, value]) => value !== undefined);
  return fillForm({
    form: attributes({
      action,
      novalidate: true,
      class: given.isInline === true ? 'inline' : undefined,
    }),
    hidden: values.map(([name, value]) => element('input', { type: 'hidden', name, value })),
    fields,
    button,
    attributes: attributes({
      class: given.kind ?? 'primary',
      // A form without any other value would have no body at all.
      name: 'go',
      value: '1',
      'aria-label': given.describes,
    }),
  });
}
