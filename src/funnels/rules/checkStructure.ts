/** Checks how the parts of a definition fit together. */
import { getOwn } from '../../lib/getOwn.js';
import { didYouMean } from '../../lib/nearest.js';
import type { Problem } from '../../lib/schema/zodIssues.js';
import { askedFields, type AskedField } from './askedFields.js';
import { isStep, type Block, type Step } from './blocks.js';
import type { FunnelDefinition } from './definition.js';
import { reachableFrom } from './flow.js';
import { checkSharedOrigin } from './sharedOrigin.js';
import { hasTexts, TEXT_NAMES } from './texts.js';

/**
 * @param definition its valid parts: missing ones are not checked
 * @param options.ownOrigin whether funnels have a separate origin, which some settings need
 */
export function checkStructure(
  definition: Partial<FunnelDefinition>,
  { ownOrigin }: { ownOrigin: boolean },
): Problem[] {
  const { blocks } = definition;
  return [
    ...(blocks ? checkBlocks(blocks, definition.not_qualified_pages) : []),
    ...(ownOrigin ? [] : checkSharedOrigin(definition)),
    ...checkRedirects(definition),
    ...checkTexts(definition),
    ...checkCertificates(definition),
  ];
}

type Pages = FunnelDefinition['not_qualified_pages'] | undefined;

/** A step, and its place among the blocks. */
interface PlacedStep {
  step: Step;
  block: number;
}

function checkBlocks(blocks: readonly Block[], pages: Pages): Problem[] {
  const placed = blocks.flatMap((step, block): PlacedStep[] =>
    isStep(step) ? [{ step, block }] : [],
  );
  const steps = placed.map(({ step }) => step);
  const asked = askedFields(blocks);
  return [
    ...checkIds(blocks, pages),
    ...checkLast(placed),
    ...checkOptionValues(asked),
    ...placed.flatMap((_, at) => checkBranches(placed, at, pages)),
    ...checkReach(placed, steps),
    ...checkRepeated(steps, asked),
  ];
}

function checkIds(blocks: readonly Block[], pages: Pages = []): Problem[] {
  const places = new Map<string, string>();
  const named = [
    ...blocks.map(({ id }, at) => ({ id, path: ['blocks', at, 'id'] })),
    ...pages.map(({ id }, at) => ({ id, path: ['not_qualified_pages', at, 'id'] })),
  ];
  return named.flatMap(({ id, path }): Problem[] => {
    const [list = '', at = 0] = path;
    const first = places.get(id);
    if (first === undefined) places.set(id, `${list}[${at}]`);
    else return [{ path, code: 'not_allowed', rule: `must be unique: ${first} has ${id}, too` }];
    return [];
  });
}

function checkLast(placed: readonly PlacedStep[]): Problem[] {
  const last = placed.at(-1);
  if (last?.step.type === 'form') return [];
  if (!last) {
    const rule = 'must have a form: it submits the lead';
    return [{ path: ['blocks'], code: 'required', rule }];
  }
  const rule = 'must be form: the last step submits the lead';
  return [{ path: ['blocks', last.block, 'type'], code: 'not_allowed', rule }];
}

/** Posted answers are text: two options of the same text would be one. */
const checkOptionValues = (asked: readonly AskedField[]): Problem[] =>
  asked.flatMap(({ entryPath, options = [] }) => {
    const texts = options.map(({ value }) => String(value).trim());
    return texts.flatMap((text, at): Problem[] => {
      if (texts.indexOf(text) === at) return [];
      const rule = 'must differ from the values of the options before it';
      return [{ path: [...entryPath, 'options', at, 'value'], code: 'not_allowed', rule }];
    });
  });

function checkBranches(placed: readonly PlacedStep[], at: number, pages: Pages): Problem[] {
  const { step, block } = placed[at] ?? {};
  if (step?.type !== 'quiz_step' || block === undefined) return [];
  const later = placed.slice(at + 1).map((one) => one.step.id);
  const isStepId = (id: string): boolean => placed.some((one) => one.step.id === id);
  return step.options.flatMap(({ next, not_qualified }, option) => {
    const path = ['blocks', block, 'options', option];
    const problems: Problem[] = [];
    if (next !== undefined && !later.includes(next)) {
      const rule = isStepId(next)
        ? `must be a later step: ${next} does not come after ${step.id}`
        : `must be the id of a later step: none is ${next}.${didYouMean(next, later)}`;
      problems.push({ path: [...path, 'next'], code: 'not_allowed', rule });
    }
    if (next !== undefined && not_qualified !== undefined) {
      const rule =
        'must be left out where next is given: an answer leads on, or it ends the funnel';
      problems.push({ path: [...path, 'not_qualified'], code: 'not_allowed', rule });
    }
    const known = pages?.map(({ id }) => id);
    if (not_qualified !== undefined && known && !known.includes(not_qualified)) {
      const rule = `must be the id of one of not_qualified_pages: none is ${not_qualified}.${didYouMean(not_qualified, known)}`;
      problems.push({ path: [...path, 'not_qualified'], code: 'not_allowed', rule });
    }
    return problems;
  });
}

function checkReach(placed: readonly PlacedStep[], steps: readonly Step[]): Problem[] {
  const reached = reachableFrom(steps, [0]);
  return placed.flatMap(({ step, block }, at): Problem[] => {
    if (reached.has(at)) return [];
    const rule = `cannot be reached: no answer leads to the step ${step.id}`;
    return [{ path: ['blocks', block], code: 'not_allowed', rule }];
  });
}

/** On one path a field has one answer; steps of which a visitor sees only one may ask the same. */
function checkRepeated(steps: readonly Step[], asked: readonly AskedField[]): Problem[] {
  const reached = steps.map((_, at) => reachableFrom(steps, [at]));
  return asked.flatMap(({ name, path, at }, place): Problem[] => {
    const isRepeated = asked
      .slice(0, place)
      .some((earlier) => earlier.name === name && reached[earlier.at]?.has(at));
    if (!isRepeated) return [];
    const rule = `must be a field that the steps before it do not ask: ${name} has its answer already`;
    return [{ path, code: 'not_allowed', rule }];
  });
}

function checkRedirects({
  thanks,
  no_buyer,
  not_qualified_pages = [],
  redirect_domains,
}: Partial<FunnelDefinition>): Problem[] {
  if (!redirect_domains) return [];
  const allowed = new Set(redirect_domains.map((domain) => new URL(`https://${domain}`).host));
  const pages = [
    { page: thanks, path: ['thanks'] },
    { page: no_buyer, path: ['no_buyer'] },
    ...not_qualified_pages.map((page, at) => ({ page, path: ['not_qualified_pages', at] })),
  ];
  return pages.flatMap(({ page, path }): Problem[] => {
    if (page?.redirect_url === undefined) return [];
    const { host } = new URL(page.redirect_url);
    if (allowed.has(host)) return [];
    const rule = `must lead to a host of redirect_domains: ${host} is none`;
    return [{ path: [...path, 'redirect_url'], code: 'not_allowed', rule }];
  });
}

function checkTexts({ language, texts }: Partial<FunnelDefinition>): Problem[] {
  if (language === undefined || !texts || hasTexts(language)) return [];
  const missing = TEXT_NAMES.filter((name) => getOwn(texts, name) === undefined);
  if (missing.length === 0) return [];
  const rule = `must have every text in ${language}, which Leadwire does not know: ${missing.join(', ')} are missing`;
  return [{ path: ['texts'], code: 'required', rule }];
}

/** Fields that a certificate fills in. */
function checkCertificates({
  certificates,
  blocks = [],
  hidden_fields = {},
}: Partial<FunnelDefinition>): Problem[] {
  const filled = [
    ...(certificates?.trusted_form ? ['trustedform_cert_url'] : []),
    ...(certificates?.jornaya_campaign_id == null ? [] : ['jornaya_leadid']),
  ];
  const hidden = Object.keys(hidden_fields).map((name) => ({
    name,
    path: ['hidden_fields', name] as PropertyKey[],
  }));
  const rule = 'must not be given or asked: the certificate of this funnel fills it in';
  return [...askedFields(blocks), ...hidden]
    .filter(({ name }) => filled.includes(name))
    .map(({ path }): Problem => ({ path, code: 'not_allowed', rule }));
}
