/** The numbers of a campaign: the allowed values, published and checked. */
import { wholeNumber } from '../../lib/schema/settings.js';

export const AnswerWithinMs = wholeNumber(200, 4_000);
export const MaxSells = wholeNumber(1, 20);
export const ConversionWindowDays = wholeNumber(1, 365);
/** Days for which a lead makes later ones duplicates. */
export const DedupeWindowDays = wholeNumber(1, 3_650);
