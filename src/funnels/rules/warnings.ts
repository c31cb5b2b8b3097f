/** Warnings: what a definition may contain, but should not. */
import { CONTRAST_MIN, contrastOf } from '../../lib/contrast.js';
import type { FunnelDefinition, Theme } from './definition.js';
import { funnelTexts, TEXT_NAMES } from './texts.js';

/** A sentence each. */
export const warningsOf = (definition: FunnelDefinition): string[] => [
  ...contrastWarnings(definition.theme),
  ...privacyWarnings(definition),
  ...exampleWarnings(definition),
  ...placeholderWarnings(definition),
];

type ColorKey = 'primaryColor' | 'backgroundColor' | 'textColor' | 'buttonTextColor';

/** Each is read on the other. */
const READ_ON: readonly [text: ColorKey, surface: ColorKey][] = [
  ['textColor', 'backgroundColor'],
  ['buttonTextColor', 'primaryColor'],
  ['primaryColor', 'backgroundColor'],
];

const contrastWarnings = (theme: Theme): string[] =>
  READ_ON.flatMap(([text, surface]) => {
    const ratio = contrastOf(theme[text], theme[surface]);
    if (ratio >= CONTRAST_MIN) return [];
    // Rounded down: 4.46 is not 4.5.
    const shown = (Math.floor(ratio * 10) / 10).toFixed(1);
    return [
      `definition.theme.${text} is hard to read on ${surface}: their contrast is ${shown}:1, and at least ` +
        `${CONTRAST_MIN}:1 is needed.`,
    ];
  });

function privacyWarnings({ blocks, language }: FunnelDefinition): string[] {
  const links = blocks.flatMap((block) => (block.type === 'footer' ? block.links : []));
  const isKnown = /^(?:en|es)(?:-|$)/i.test(language);
  const hasOne = links.some(
    ({ label, url }) => !isKnown || /priva/i.test(label) || /priva/i.test(url),
  );
  return hasOne
    ? []
    : ['definition.blocks has no footer with a link to a privacy policy; visitors look for it.'];
}

/** Reserved for examples (RFC 2606): templates have such addresses in place of the designer's. */
const EXAMPLE_HOST = /(?:^|\.)example(?:\.(?:com|net|org))?$/;

function exampleWarnings({ blocks }: FunnelDefinition): string[] {
  const addresses = blocks.flatMap((block, at): [string, string | undefined][] => {
    if (block.type === 'video')
      return [
        [`blocks[${at}].url`, block.url],
        [`blocks[${at}].captions_url`, block.captions_url],
      ];
    if (block.type === 'footer')
      return block.links.map(({ url }, link) => [`blocks[${at}].links[${link}].url`, url]);
    return [];
  });
  return addresses.flatMap(([place, url]) =>
    url !== undefined && EXAMPLE_HOST.test(new URL(url).hostname)
      ? [`definition.${place} is an example: set an address of your own.`]
      : [],
  );
}

/** A placeholder that is filled in where a text is shown, such as {limit}. */
const PLACEHOLDER = /\{[a-z]+\}/g;

/** Own texts whose placeholders differ from Leadwire's: they would show as written, or leave a value out. */
function placeholderWarnings({ texts }: FunnelDefinition): string[] {
  const standard = funnelTexts('en', {});
  return TEXT_NAMES.flatMap((name) => {
    const own = texts[name];
    if (own === undefined) return [];
    const expected = standard[name].match(PLACEHOLDER) ?? [];
    const given: string[] = own.match(PLACEHOLDER) ?? [];
    const unknown = given.filter((one) => !expected.some((known) => known === one));
    const missing = expected.filter((one) => !given.includes(one));
    return [
      ...unknown.map(
        (one) => `definition.texts.${name} has ${one}, which nothing is filled in for.`,
      ),
      ...missing.map((one) => `definition.texts.${name} lacks ${one}, which is filled in there.`),
    ];
  });
}
