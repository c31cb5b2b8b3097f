import type { Connection } from '@temporalio/client';

/**
 * The attributes by which operators find a workflow in the Temporal UI. All are lists, since one workflow may carry
 * many leads. Values are ids, never personal data.
 */
export const SEARCH_ATTRIBUTES = ['LeadId', 'CampaignId', 'OrgId'] as const;

/** temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST */
const KEYWORD_LIST = 7;

/**
 * Adds the search attributes that a namespace lacks; true when it had them all. After an addition
 * ask again: the server needs a moment.
 * @throws {Error} when one exists with another type, which only an operator can mend
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<boolean> {
  const listed = await connection.operatorService.listSearchAttributes({ namespace });
  const present = listed.customAttributes;
  const wrong = SEARCH_ATTRIBUTES.find(
    (name) => name in present && Number(present[name]) !== KEYWORD_LIST,
  );
  if (wrong) {
    throw new Error(
      `The search attribute ${wrong} of namespace ${namespace} must be a KeywordList`,
    );
  }
  const missing = SEARCH_ATTRIBUTES.filter((name) => !(name in present));
  if (missing.length === 0) return true;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD_LIST])),
  });
  return false;
}
