/** The criteria of a lookup (contract 3.5). */
import { lookupKeysOf } from '../../leads/rules/dedupe.js';
import { normalizeEmail, normalizePhone } from '../../fields/normalize.js';
import { isBlank } from '../../fields/fields.js';
import { AppError, type FieldError } from '../../lib/errors.js';
import { isWrittenAsId } from '../../lib/ids.js';
import { visibleText } from '../../lib/invisible.js';
import type { LeadCriteria } from '../../leads/store/leadLookup.js';

const PATHS = ['id', 'phone', 'email'] as const;
type Path = (typeof PATHS)[number];

/** A parameter in the form in which it is searched for; null when the value is not valid. */
const READ: Record<Path | 'campaign_id', (text: string) => string | null> = {
  id: readId,
  campaign_id: readId,
  phone: normalizePhone,
  // A plus sign that was not percent-encoded arrives as a blank, which no address has.
  email: (text) => normalizeEmail(visibleText(text).replaceAll(' ', '+')),
};

const EXPECTED: Record<Path | 'campaign_id', string> = {
  id: 'the id of a lead as you received it',
  campaign_id: 'the id of a campaign as you received it',
  phone: 'a phone number of 10-15 digits',
  email: 'an email address such as name@example.com',
};

/**
 * Exactly one of `id`, `phone` and `email`; `campaign_id` with the latter two. Other parameters are ignored.
 * @throws {AppError} `validation_failed` with every fault
 */
export function readCriteria(query: URLSearchParams): LeadCriteria {
  const errors: FieldError[] = [];
  const read = (field: Path | 'campaign_id'): string | undefined => {
    const [text = '', ...more] = query.getAll(field);
    if (more.length > 0) {
      errors.push({ field, code: 'invalid_type', message: `${field} must be given once` });
      return undefined;
    }
    if (isBlank(text)) return undefined;
    const value = READ[field](text);
    if (value !== null) return value;
    errors.push({ field, code: 'invalid_format', message: `${field} must be ${EXPECTED[field]}` });
    return undefined;
  };

  const given = PATHS.filter((path) => query.getAll(path).some((text) => !isBlank(text)));
  const [path, ...others] = given;
  const value = path && read(path);
  const campaignId = read('campaign_id');
  if (path === undefined) {
    const message = 'id is required, or phone or email with campaign_id';
    errors.push({ field: 'id', code: 'required', message });
  }
  for (const field of others) {
    const message = `${field} must not be given with ${path ?? ''}: name the lead in one way`;
    errors.push({ field, code: 'not_allowed', message });
  }
  const isMissing = !errors.some(({ field }) => field === 'campaign_id') && !campaignId;
  if (path !== undefined && path !== 'id' && isMissing) {
    const message = `campaign_id is required with ${path}`;
    errors.push({ field: 'campaign_id', code: 'required', message });
  }
  if (errors.length === 0 && path && value !== undefined) {
    if (path === 'id') return { id: value, campaign_id: campaignId || undefined };
    if (campaignId) return { keys: lookupKeysOf(path, value), campaign_id: campaignId };
  }
  throw new AppError('validation_failed', 'The lookup does not name a lead', {
    field_errors: errors,
  });
}

function readId(text: string): string | null {
  const id = visibleText(text).toLowerCase();
  return isWrittenAsId(id) ? id : null;
}
