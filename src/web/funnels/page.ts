/** The page of a funnel: its content, and one form with all of its steps. */
import type { Reply } from '../../api/http/endpoint.js';
import { isStep, type Block, type Step } from '../../funnels/rules/blocks.js';
import { isAnswerNeeded } from '../../funnels/rules/neededFields.js';
import type { ShownFunnel } from '../../funnels/shown.js';
import { getOwn } from '../../lib/getOwn.js';
import { attributes, element, template, type Attributes, type Markup } from '../render/template.js';
import { showBlock, type BlockContext, type ContentBlock } from './blocks.js';
import { documentOf, pictureUrlOf, textsOf } from './document.js';
import { pageScript } from './files.js';
import { showPageData } from './pageData.js';
import { faultText, questionIds, questionKey, showStep, type StepContext } from './steps.js';
import type { PageState } from './types.js';

interface Content {
  isSingle: boolean;
  intro: readonly Markup[];
  title: string | undefined;
  progress: Markup | undefined;
  summary: Markup;
  form: Markup;
  hidden: readonly Markup[];
  steps: readonly Markup[];
  after: readonly Markup[];
}

const content = template<Content>(`<div class="top<% if (it.isSingle) { %> is-single<% } %>">
<div class="intro">
<% if (it.title) { %>
<h1><%= it.title %></h1>
<% } %>
<%= it.intro %></div>
<div class="panel">
<%= it.progress %><%= it.summary %><form<%= it.form %>>
<%= it.hidden %><div class="lw-hp" aria-hidden="true"><label for="lw-website">Website</label><input id="lw-website" name="website" tabindex="-1" autocomplete="off"></div>
<%= it.steps %></form>
</div>
</div>
<% if (it.after.length > 0) { %>
<div class="after">
<%= it.after %></div>
<% } %>`);

const progress = template<{ text: string; steps: readonly string[] }>(
  `<div class="progress lw-js" id="lw-progress"><p id="lw-step-of"><%= it.text %></p>
<ol aria-hidden="true">
<% for (const step of it.steps) { %>
<li<% if (step) { %> class="<%= step %>"<% } %>></li>
<% } %>
</ol></div>
`,
);

const summary = template<{
  isHidden: boolean;
  title: string | undefined;
  notice: string | undefined;
  faults: readonly { href: string; text: string }[];
}>(`<div class="summary" id="lw-summary" role="alert" tabindex="-1"<% if (it.isHidden) { %> hidden<% } %>>
<h2<% if (!it.title) { %> hidden<% } %>><%= it.title %></h2>
<p<% if (!it.notice) { %> hidden<% } %>><%= it.notice %></p>
<ul>
<% for (const fault of it.faults) { %>
<li><a href="<%= fault.href %>"><%= fault.text %></a></li>
<% } %>
</ul>
</div>
`);

const between = template<{ attributes: Markup; blocks: readonly Markup[] }>(
  '<div<%= it.attributes %>>\n<%= it.blocks %></div>\n',
);

/**
 * The page as the answer to a request.
 * @param status whether the request succeeded: 200, 422 with faults, 429 or 503 with a notice
 */
export async function renderPage(
  shown: ShownFunnel,
  state: PageState,
  reply: { status?: number; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const { definition, funnel } = shown;
  const texts = textsOf(shown);
  const steps = definition.blocks.filter(isStep);
  const context: StepContext = {
    definition,
    rules: new Map(shown.fields.map((rule) => [rule.name, rule])),
    isNeeded: (name) => isAnswerNeeded(name, { ...shown, hidden: definition.hidden_fields }),
    texts,
    state,
    ids: questionIds(steps),
    currentId: currentStep(steps, state)?.id ?? '',
  };
  const blocks: BlockContext = {
    texts,
    language: definition.language,
    pictureUrl: pictureUrlOf(shown),
    formAt: '#lw-form',
  };
  const { before, after, form } = isUntouched(state)
    ? arrangedOnce(shown, () => arrange(definition.blocks, steps, context, blocks))
    : arrange(definition.blocks, steps, context, blocks);
  const hasHero = definition.blocks.some(({ type }) => type === 'hero');
  const current = steps.findIndex(({ id }) => id === context.currentId);
  const path = `/f/${encodeURIComponent(funnel.slug)}`;
  return documentOf(
    shown,
    {
      content: content({
        isSingle: before.length === 0,
        intro: before,
        title: hasHero ? undefined : definition.title,
        progress:
          definition.progress && steps.length > 1
            ? progress({
                text: texts.step_of
                  .replace('{step}', String(current + 1))
                  .replace('{steps}', String(steps.length)),
                steps: steps.map((_step, n) =>
                  n < current ? 'is-done' : n === current ? 'is-current' : '',
                ),
              })
            : undefined,
        summary: summaryOf(steps, context),
        form: attributes({ id: 'lw-form', method: 'post', action: path, novalidate: true }),
        hidden: hiddenInputs(shown, state),
        steps: form,
        after,
      }),
      isFaulty: (state.faults?.length ?? 0) > 0,
      isListed: true,
      site: state.site,
      script: await pageScript(),
      data: showPageData(shown, path),
    },
    reply,
  );
}

/** The first step with a fault; the last, where the visitor has to send everything again. */
function currentStep(steps: readonly Step[], { faults = [], notice }: PageState): Step | undefined {
  const faulty = new Set(faults.map(({ step }) => step));
  const last = steps.at(-1);
  if (faulty.size > 0) return steps.find(({ id }) => faulty.has(id)) ?? last;
  return notice ? last : steps[0];
}

interface Arranged {
  before: readonly Markup[];
  after: readonly Markup[];
  form: readonly Markup[];
}

/** Nothing was answered yet: the steps are the same for all such visitors. */
const isUntouched = ({ faults = [], notice, values = {} }: PageState): boolean =>
  faults.length === 0 &&
  notice === undefined &&
  !Object.keys(values).some((name) => name === 'consent' || name.startsWith('f.'));

/** By `ShownFunnel`, which is read again all the time: the blocks and steps are rendered once for each reading. */
const arranged = new WeakMap<ShownFunnel, Arranged>();

function arrangedOnce(shown: ShownFunnel, make: () => Arranged): Arranged {
  const known = arranged.get(shown);
  if (known) return known;
  const made = make();
  arranged.set(shown, made);
  return made;
}

/** Blocks before the first step and after the last one; and the form: its steps, and the blocks between them. */
function arrange(
  all: readonly Block[],
  steps: readonly Step[],
  context: StepContext,
  blocks: BlockContext,
): Arranged {
  const before: Markup[] = [];
  const form: Markup[] = [];
  let waiting: Markup[] = [];
  let seen = 0;
  for (const block of all) {
    if (isStep(block)) {
      if (seen === 0) before.push(...waiting);
      else if (waiting.length > 0) form.push(betweenOf(block.id, waiting, context));
      waiting = [];
      seen += 1;
      form.push(showStep(block, { isFirst: seen === 1, isLast: seen === steps.length }, context));
    } else if (isContent(block)) {
      waiting.push(showBlock(block, blocks));
    }
  }
  return { before, after: waiting, form };
}

const isContent = (block: Block): block is ContentBlock =>
  block.type !== 'footer' && !isStep(block);

const betweenOf = (stepId: string, blocks: readonly Markup[], { currentId }: StepContext): Markup =>
  between({
    attributes: attributes({
      class: stepId === currentId ? 'between is-current' : 'between',
      'data-with': stepId,
    }),
    blocks,
  });

/** The faults: of the whole, or of answers, each with a link to its place. */
function summaryOf(steps: readonly Step[], { state, texts, ids }: StepContext): Markup {
  const { faults = [], notice } = state;
  const labels = new Map(
    steps.flatMap((step) =>
      step.type === 'quiz_step'
        ? [[questionKey(step.id, step.field), step.title] as const]
        : step.fields.map(({ name, label }) => [questionKey(step.id, name), label] as const),
    ),
  );
  return summary({
    isHidden: faults.length === 0 && !notice,
    title: faults.length > 0 ? texts.errors_title : undefined,
    notice: notice && texts[notice.text].replace('{seconds}', String(notice.seconds ?? 1)),
    faults: faults.map((fault) => {
      const key = questionKey(fault.step, fault.field);
      const label = labels.get(key);
      const sentence = faultText(fault, texts);
      return {
        href: `#${ids.get(key) ?? `f-${fault.field}`}`,
        text: label === undefined ? sentence : `${label}: ${sentence}`,
      };
    }),
  });
}

/** Inputs that are sent with the answers but are none. */
function hiddenInputs(
  { definition: { certificates } }: ShownFunnel,
  { token, values = {}, hidden = {} }: PageState,
): Markup[] {
  const sources = Object.entries(values).filter(([name]) => name.startsWith('u.'));
  const inputs: Attributes[] = [
    { name: 't', value: token },
    { name: 'w', value: '' },
    { name: 'p', value: getOwn(values, 'p') ?? '' },
    { name: 'r', value: getOwn(values, 'r') ?? '' },
    ...sources.map(([name, value]) => ({ name, value })),
    ...Object.entries(hidden).map(([name, value]) => ({ name, value })),
    ...(certificates.trusted_form ? [{ name: 'xxTrustedFormCertUrl', value: '' }] : []),
    ...(certificates.jornaya_campaign_id === null
      ? []
      : [{ id: 'leadid_token', name: 'universal_leadid', value: '' }]),
  ];
  return inputs.map((input) => element('input', { type: 'hidden', ...input }));
}
