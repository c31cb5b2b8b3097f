/** The settings of a campaign that its form has. */
import { SETTINGS, type Term } from '../../lib/settings.js';
import type { Campaign } from './frame.js';

/** Shown elsewhere on these pages, or the same for every campaign. */
const LEFT_OUT = new Set(['status', 'filters', 'campaign_type']);

/** The settings that the form has. */
export const TERMS: readonly Term[] = SETTINGS.campaign.filter(({ name }) => !LEFT_OUT.has(name));

/** The value of a setting, as actions have it. */
export const valueOf = (campaign: Campaign, { name }: Term): unknown =>
  new Map<string, unknown>(Object.entries(campaign)).get(name) ?? null;
