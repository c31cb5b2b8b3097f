import { describe, expect, it } from 'vitest';
import { DEFAULT_RATE_LIMIT } from '../../src/account/rateLimit.js';
import { CONTROL_FIELDS, compileMapping, SYSTEM_FIELDS } from '../../src/domain/mapping.js';
import { ERROR_STATUS, type ErrorCode } from '../../src/errors.js';
import { postingGuide, type GuideInput } from '../../src/guide/guide.js';
import { guideAsMarkdown } from '../../src/guide/markdown.js';
import { ErrorBody } from '../../src/schemas/error.js';
import { IngestResult } from '../../src/schemas/ingest.js';
import { aField } from '../domain/builders.js';

const campaign = { id: 'c1', name: 'Auto', fields: SYSTEM_FIELDS, filters: null };
const input = (change: Partial<GuideInput> = {}): GuideInput => ({
  ...{ campaign, supplier: { id: 's1', name: 'Search' }, apiKey: null },
  ...{ rateLimit: DEFAULT_RATE_LIMIT, tools: {}, timeZone: 'UTC' },
  address: { url: 'https://leads.example/', isSet: true },
  now: new Date('2026-11-21T12:00:00Z'),
  ...change,
});

/** The text of an argument in single quotes, as a shell reads it. */
const unquoted = (text: string): string => text.slice(1, -1).replaceAll(`'\\''`, "'");
const bodyOf = (curl: string): unknown =>
  JSON.parse(unquoted(/-d ('[^]*')$/.exec(curl)?.[1] ?? ''));

describe('a posting guide', () => {
  it('says where to post, with what key, and which fields', () => {
    const guide = postingGuide(input({ apiKey: 'lw_live_key' }));
    expect(guide.endpoint).toEqual({
      ...{ method: 'POST', url: 'https://leads.example/api/v1/ingest', note: null },
    });
    expect(guide.headers[0]).toMatchObject({ name: 'x-api-key', value: 'lw_live_key' });
    expect(guide.fields.map(({ name, required }) => [name, required])).toEqual([
      ...[
        ['flo_campaign_id', true],
        ['flo_supplier_id', true],
        ['test_lead', false],
      ],
      ...SYSTEM_FIELDS.map(({ name, required }) => [name, required]),
    ]);
    expect(guide.curl.lead).toContain("-H 'x-api-key: lw_live_key'");
  });

  it('has placeholders where no supplier is named, and no key that was not asked for', () => {
    const { example, curl, supplier } = postingGuide(input({ supplier: null }));
    expect(supplier).toBeNull();
    expect(example.flo_supplier_id).toBe('YOUR_SUPPLIER_ID');
    expect(curl.test_lead).toContain('YOUR_SUPPLIER_API_KEY');
  });

  it('owns up to an address that nobody has set', () => {
    const address = { url: 'http://127.0.0.1:8080', isSet: false };
    expect(postingGuide(input({ address })).endpoint.note).toContain('no public address');
  });

  it('puts the rules of a field into words', () => {
    const fields = [
      aField({ name: 'age', type: 'Number', min: 18, max: 99, required: true }),
      aField({ name: 'kind', type: 'List of Allowed Values', allowed_values: ['a', 'b'] }),
      aField({ name: 'code', max_length: 5, pattern: '^[A-Z]+$', transforms: ['uppercase'] }),
      aField({ name: 'source', default: 'web' }),
    ];
    const guide = postingGuide(input({ campaign: { ...campaign, fields } }));
    expect(guide.fields.slice(3).map(({ rules }) => rules.join('; '))).toEqual([
      'must be a number; at least 18; at most 99',
      'must be one of the allowed values; one of: a, b',
      'must be text; turned into upper case; at most 5 characters; must match the pattern ^[A-Z]+$',
      'must be text; web when it is missing',
    ]);
  });

  it('shows leads that the mapping takes, in lines that survive a shell', () => {
    const list = aField({
      ...{ name: 'list', type: 'List of Allowed Values', required: true },
      allowed_values: [`it's "$HOME" \`id\` \\ !x`],
    });
    const fields = [...SYSTEM_FIELDS, list];
    const guide = postingGuide(input({ campaign: { ...campaign, fields } }));
    const map = compileMapping(fields);
    for (const curl of [guide.curl.lead, guide.curl.test_lead]) {
      const body = bodyOf(curl) as Record<string, unknown>;
      expect(map(body)).toMatchObject({ ok: true, extra: {} });
      expect(body).toMatchObject({ list: list.allowed_values?.[0], flo_campaign_id: 'c1' });
    }
    expect(bodyOf(guide.curl.test_lead)).toMatchObject({ test_lead: true });
    expect(bodyOf(guide.curl.lead)).not.toHaveProperty('test_lead');
  });

  it('shows answers as they really are, each status that a supplier has to deal with', () => {
    const { answers } = postingGuide(input());
    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual([
      ...['201 ACCEPTED', '201 ACCEPTED', '200 UNMATCHED', '200 DUPLICATE'],
      ...['400 validation_failed', '401 unauthorized', '403 campaign_paused', '422 filtered'],
      ...['429 rate_limited', '503 unavailable', '504 outcome_unknown'],
    ]);
    for (const { status, code, body } of answers) {
      if (status < 300) expect(IngestResult.parse(body)).toEqual(body);
      else expect(ErrorBody.parse(body)).toEqual(body);
      if (status >= 300) expect(ERROR_STATUS[code as ErrorCode]).toBe(status);
    }
    expect(answers[4]?.body.field_errors).toMatchObject([
      { field: 'email', code: 'required' },
      { field: 'phone', code: 'invalid_format' },
    ]);
  });

  it('says which fields it has no example for', () => {
    const fields = [...SYSTEM_FIELDS, aField({ name: 'odd', pattern: '^\\p{Greek}{3}$' })];
    const { notes } = postingGuide(input({ campaign: { ...campaign, fields } }));
    expect(notes.at(-1)?.text).toContain('for odd:');
  });

  it('speaks of every field of a request that steers it and works now', () => {
    const told = postingGuide(input()).fields.map(({ name }) => name);
    const steering = CONTROL_FIELDS.filter((name) => !/ping|buyer/.test(name));
    expect(told).toEqual(expect.arrayContaining(steering));
  });
});

describe('a posting guide as Markdown', () => {
  it('is whole, and every table holds together', () => {
    const page = guideAsMarkdown(postingGuide(input()));
    for (const heading of ['# Posting leads to Auto', '## Fields', '### 429 rate_limited'])
      expect(page).toContain(`\n${heading}\n`.trimStart());
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row.split(/(?<!\\)\|/).length - 2).toBeOneOf([4, 5]);
  });

  it('lets no name become markup', () => {
    const evil = '# <img src=x> [a](http://x) | `b` *c*\n## d www.x.example';
    const fields = [
      aField({ name: 'kind', label: evil, type: 'List of Allowed Values', allowed_values: [evil] }),
    ];
    const page = guideAsMarkdown(
      postingGuide(
        input({ campaign: { ...campaign, name: evil, fields }, supplier: { id: 's', name: evil } }),
      ),
    );
    const text = page.replace(/(`{3,})[^]*?\n\1/g, '');
    expect(text).not.toMatch(/(?<!\\)<img|(?<!\\)\[a|^## d|http:|www\.x|(?<!\\)\*c/m);
    const table = text.split('\n').filter((line) => line.includes('kind'));
    expect(table).toHaveLength(1);
    expect(table[0]?.split(/(?<!\\)\|/)).toHaveLength(7);
  });

  it('closes a code block only where it ends', () => {
    const fields = [
      aField({ name: 'kind', type: 'List of Allowed Values', allowed_values: ['```', 'b'] }),
    ];
    const page = guideAsMarkdown(postingGuide(input({ campaign: { ...campaign, fields } })));
    expect(page).toContain('````sh\ncurl');
  });
});
