import { describe, expect, it } from '@jest/globals';
import { LEAD_RATE, PING_RATE } from '../../../src/account/rateLimit.js';
import { CONTROL_FIELDS, compileMapping, SYSTEM_FIELDS } from '../../../src/fields/mapping.js';
import { compilePingMapping } from '../../../src/pings/rules/pingFields.js';
import { ERROR_STATUS, type ErrorCode } from '../../../src/lib/errors.js';
import { postingGuide, type GuideInput } from '../../../src/api/guide/guide.js';
import { guideAsMarkdown } from '../../../src/api/guide/markdown.js';
import { ErrorBody } from '../../../src/api/schemas/error.js';
import { IngestResult } from '../../../src/ingest/schemas/ingest.js';
import { PingResult } from '../../../src/pings/schemas/ping.js';
import { aField } from '../../support/builders.js';

const campaign: GuideInput['campaign'] = {
  id: 'c1',
  name: 'Auto',
  fields: SYSTEM_FIELDS,
  filters: null,
  vertical: null,
  routing_method: 'DIRECT_POST',
};
const input = (change: Partial<GuideInput> = {}): GuideInput => ({
  campaign,
  supplier: { id: 's1', name: 'Search' },
  apiKey: null,
  rateLimit: LEAD_RATE.defaults,
  pingRateLimit: PING_RATE.defaults,
  tools: {},
  timeZone: 'UTC',
  address: { url: 'https://leads.example/', isSet: true },
  now: new Date('2026-11-21T12:00:00Z'),
  ...change,
});

/** The text of a single-quoted argument, as a shell reads it. */
const unquoted = (text: string): string => text.slice(1, -1).replaceAll(`'\\''`, "'");
const bodyOf = (curl: string): unknown =>
  JSON.parse(unquoted(/-d ('[^]*')$/.exec(curl)?.[1] ?? ''));

describe('a posting guide', () => {
  it('shows where to post, with which key, and which fields', () => {
    const guide = postingGuide(input({ apiKey: 'lw_live_key' }));
    expect(guide.endpoint).toEqual({
      method: 'POST',
      url: 'https://leads.example/api/v1/ingest',
      note: null,
    });
    expect(guide.headers[0]).toMatchObject({ name: 'x-api-key', value: 'lw_live_key' });
    expect(guide.fields.map(({ name, required }) => [name, required])).toEqual([
      ['flo_campaign_id', true],
      ['flo_supplier_id', true],
      ['test_lead', false],
      ...SYSTEM_FIELDS.map(({ name, required }) => [name, required]),
    ]);
    expect(guide.curl.lead).toContain("-H 'x-api-key: lw_live_key'");
  });

  it('has placeholders where no supplier is named, and a key only on request', () => {
    const { example, curl, supplier } = postingGuide(input({ supplier: null }));
    expect(supplier).toBeNull();
    expect(example.flo_supplier_id).toBe('YOUR_SUPPLIER_ID');
    expect(curl.test_lead).toContain('YOUR_SUPPLIER_API_KEY');
  });

  it('reports that no public address is configured', () => {
    const address = { url: 'http://127.0.0.1:8080', isSet: false };
    expect(postingGuide(input({ address })).endpoint.note).toContain('no public address');
  });

  it('describes the rules of a field in words', () => {
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
      'must be text; converted to upper case; at most 5 characters; must match the pattern ^[A-Z]+$',
      'must be text; web when it is missing',
    ]);
  });

  it('shows leads that the mapping accepts, in lines that work in a shell', () => {
    const list = aField({
      name: 'list',
      type: 'List of Allowed Values',
      required: true,
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

  it('shows real answers, for each status that a supplier must handle', () => {
    const { answers } = postingGuide(input());
    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '201 ACCEPTED',
      '201 ACCEPTED',
      '200 UNMATCHED',
      '200 DUPLICATE',
      '400 validation_failed',
      '401 unauthorized',
      '403 campaign_paused',
      '422 filtered',
      '429 rate_limited',
      '503 unavailable',
      '504 outcome_unknown',
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

  it('names the fields without an example', () => {
    const fields = [...SYSTEM_FIELDS, aField({ name: 'odd', pattern: '^\\p{Greek}{3}$' })];
    const { notes } = postingGuide(input({ campaign: { ...campaign, fields } }));
    expect(notes.at(-1)?.text).toContain('for odd:');
  });

  it('lists every control field of a request', () => {
    const told = postingGuide(input()).fields.map(({ name }) => name);
    const steering = CONTROL_FIELDS.filter((name) => !/ping|buyer/.test(name));
    expect(told).toEqual(expect.arrayContaining(steering));
  });
});

describe('a posting guide for ping-post', () => {
  const zip = aField({ name: 'zip_code', type: 'Zip / Postal Code', ping_required: true });
  const loan = aField({ name: 'loan_amount', type: 'Number', ping_required: true, required: true });
  const others = SYSTEM_FIELDS.filter(({ name }) => name !== 'zip_code');
  const fields = [...others, zip, loan];
  const pinged = { ...campaign, fields, routing_method: 'PING_POST' as const };
  const guide = postingGuide(input({ campaign: pinged, apiKey: 'lw_live_key' }));

  it("has a ping that the mapping accepts, without the person's identity", () => {
    const { ping } = guide;
    expect(ping?.endpoint).toEqual({ method: 'POST', url: 'https://leads.example/api/v1/ping' });
    expect(ping?.required).toEqual(['zip_code', 'loan_amount']);
    const map = compilePingMapping(fields);
    for (const line of [ping?.curl.ping ?? '', ping?.curl.test_ping ?? '']) {
      const body = bodyOf(line) as Record<string, unknown>;
      expect(map(body)).toMatchObject({ ok: true });
      expect(body).toMatchObject({ flo_campaign_id: 'c1', loan_amount: expect.anything() });
      expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['phone']));
      expect(body).not.toHaveProperty('flo_ping_id');
      expect(line).toContain("-H 'x-api-key: lw_live_key'");
    }
    expect(bodyOf(ping?.curl.test_ping ?? '')).toMatchObject({ test_lead: true });
  });

  it("includes the person's identity where every ping must have it", () => {
    const phone = aField({ name: 'phone', type: 'Phone', ping_required: true, required: true });
    const all = SYSTEM_FIELDS.map((rule) => (rule.name === 'phone' ? phone : rule));
    const { ping } = postingGuide(input({ campaign: { ...pinged, fields: all } }));
    expect(ping?.example).toHaveProperty('phone');
    expect(ping?.example).not.toHaveProperty('email');
  });

  it('posts a lead with the ping_id and the values of the ping', () => {
    const lead = bodyOf(guide.curl.lead) as Record<string, unknown>;
    expect(lead).toMatchObject({ flo_ping_id: 'YOUR_PING_ID', ...guide.ping?.example });
    expect(guide.fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['flo_ping_id', 'loan_amount']),
    );
    const told = guide.fields.map(({ name }) => name);
    expect(told).toEqual(expect.arrayContaining([...CONTROL_FIELDS]));
  });

  it('shows real answers to pings, also to an expired ping', () => {
    const { ping, answers } = guide;
    expect(ping?.answers.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '200 accepted',
      '200 no_buyer',
      '400 validation_failed',
      '429 rate_limited',
      '503 unavailable',
    ]);
    for (const { status, body } of ping?.answers ?? []) {
      if (status < 300) expect(PingResult.parse(body)).toEqual(body);
      else expect(ErrorBody.parse(body)).toEqual(body);
    }
    expect(ping?.answers[2]?.body.field_errors).toMatchObject([
      { field: 'zip_code', code: 'required' },
      { field: 'loan_amount', code: 'required' },
    ]);
    expect(answers.at(-1)?.body).toMatchObject({
      field_errors: [{ field: 'flo_ping_id', code: 'expired' }],
    });
    expect(ErrorBody.parse(answers.at(-1)?.body)).toEqual(answers.at(-1)?.body);
  });

  it('shows ping and post on its page, and no pings for other campaigns', () => {
    const page = guideAsMarkdown(guide);
    expect(page).toMatch(
      /POST https:\S+\/ping\n[^]*`zip_code`, `loan_amount` must be present[^]*\/ingest\n/,
    );
    expect(page).toMatch(/\n## Answers to pings\n[^]*\n## Answers to leads\n/);
    expect(page).toContain('with its ping_id in the place of YOUR_PING_ID');
    const direct = postingGuide(input());
    expect(direct.ping).toBeNull();
    expect(guideAsMarkdown(direct)).not.toMatch(/ping/i);
  });
});

describe('a posting guide as Markdown', () => {
  it('is complete, and every table is valid', () => {
    const page = guideAsMarkdown(postingGuide(input()));
    for (const heading of ['# Posting leads to Auto', '## Fields', '### 429 rate_limited'])
      expect(page).toContain(`\n${heading}\n`.trimStart());
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect([4, 5]).toContain(row.split(/(?<!\\)\|/).length - 2);
  });

  it('escapes markup in names', () => {
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
