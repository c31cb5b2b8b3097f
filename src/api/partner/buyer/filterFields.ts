/** Which fields filters use, and whether a portal shows all of them. */
import type { FilterGroup, FilterNode } from '../../../fields/filterRules.js';
import type { PortalSettings } from '../../../portal/settingsSchema.js';
import { isShown } from '../shownFields.js';

const fieldsOf = (node: FilterNode): string[] => {
  if ('field' in node) return [node.field];
  return ('all' in node ? node.all : node.any).flatMap(fieldsOf);
};

/** Whether they use a hidden field. */
export const hasHidden = (
  settings: Pick<PortalSettings, 'fields'>,
  filters: FilterGroup | null | undefined,
): boolean => filters != null && fieldsOf(filters).some((name) => !isShown(settings, name));

/** For filters as written, in any form: every text under `field`, with its place. */
export function namedFields(written: unknown, path = 'filters'): { path: string; name: string }[] {
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([key, value]: [string, unknown]) => {
    const at = `${path}.${key}`;
    return key === 'field' && typeof value === 'string'
      ? [{ path: at, name: value.trim() }]
      : namedFields(value, at);
  });
}
