/** What a file of leads may have in columns: what Leadwire says of a lead, and the fields that most leads have. */

/** Names as `export_leads` takes them, with their labels. */
export const CSV_COLUMNS: readonly (readonly [name: string, label: string])[] = [
  ['created_at', 'Received at'],
  ['status', 'Status'],
  ['distribution_status', 'Result of distribution'],
  ['outcome', 'Outcome'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['phone', 'Phone'],
  ['email', 'Email'],
  ['state', 'State'],
  ['zip_code', 'ZIP'],
  ['campaign', 'Campaign'],
  ['campaign_id', 'Campaign ID'],
  ['supplier', 'Supplier'],
  ['supplier_id', 'Supplier ID'],
  ['buyer', 'Buyer'],
  ['buyer_id', 'Buyer ID'],
  ['price', 'First price'],
  ['revenue', 'Revenue'],
  ['cost', 'Cost'],
  ['profit', 'Profit'],
  ['accepted_at', 'Accepted at'],
  ['converted_at', 'Converted at'],
  ['decided_at', 'Decided at'],
  ['duplicate_of', 'Duplicate of'],
  ['plan_version', 'Version of the campaign'],
  ['is_test', 'Test lead'],
];

/** Those of a file without a choice: no contact data. */
export const STANDARD_COLUMNS: ReadonlySet<string> = new Set([
  ...(['created_at', 'status', 'outcome', 'campaign_id', 'campaign', 'supplier_id'] as const),
  ...(['supplier', 'buyer_id', 'buyer', 'state', 'zip_code', 'price', 'revenue'] as const),
  ...(['cost', 'accepted_at', 'converted_at'] as const),
]);
