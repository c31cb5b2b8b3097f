/** What buyers see of their terms in a campaign and may ask to have changed, as the table of settings says. */
import { BUYER_LINK } from './buyerLinkTerms.js';
import { partnerSettings } from './settingsTable.js';

export const SEEN = partnerSettings(BUYER_LINK.settings, 'see');

/** The terms that requests may be about. */
export const ASKED = partnerSettings(BUYER_LINK.settings, 'ask');

/** Those that are asked for by name: pausing has a call of its own. */
export const ASKED_BY_NAME = ASKED.filter((name) => name !== 'status');
