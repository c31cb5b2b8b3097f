/** HTML of a funnel's designer, reduced to elements that cannot act. */
import sanitizeHtml from 'sanitize-html';
import type { Block } from './blocks.js';
import type { FunnelDefinition } from './definition.js';

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...sanitizeHtml.defaults.allowedTags.filter((tag) => tag !== 'main'),
    'img',
    'details',
    'summary',
  ],
  // No id: those of the page's own elements are how its script and its labels find them.
  allowedAttributes: {
    a: ['href', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    '*': ['lang', 'dir', 'title'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  // A picture of another host would be loaded from a third party.
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    a: (tagName, { href }) => ({
      tagName,
      attribs: { ...(href === undefined ? {} : { href }), target: '_top', rel: 'noopener' },
    }),
  },
};

/** The definition with its `custom_code` cleaned, and a sentence for each block from which something was removed. */
export function cleanCustomCode(definition: FunnelDefinition): {
  definition: FunnelDefinition;
  warnings: string[];
} {
  const warnings: string[] = [];
  const blocks = definition.blocks.map((block, at): Block => {
    if (block.type !== 'custom_code') return block;
    const html = sanitizeHtml(block.html, ALLOWED);
    if (html === block.html) return block;
    warnings.push(
      `definition.blocks[${at}].html was cleaned: scripts, styles, frames, forms, ids and pictures of other hosts ` +
        'are removed.',
    );
    return { ...block, html };
  });
  return { definition: { ...definition, blocks }, warnings };
}
