/** The terms of a campaign that buyers see, and those they may request to change, by the table of settings. */
import { BUYER_LINK } from './buyerLinkTerms.js';
import { partnerSettings } from './settingsTable.js';

export const SEEN = partnerSettings(BUYER_LINK.settings, 'see');

/** The terms that requests may be about. */
export const ASKED = partnerSettings(BUYER_LINK.settings, 'ask');

/** Requested by name; pausing has a separate call. */
export const ASKED_BY_NAME = ASKED.filter((name) => name !== 'status');
