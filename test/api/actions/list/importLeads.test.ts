/** Leads from files: each row is posted once. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '../../../../src/lib/errors.js';
import type { IngestRequest } from '../../../../src/ingest/types.js';
import { accepted, fakeIntake } from '../../../support/http.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';

let api: ActionsApi;
/** Answers the posts of an import. */
let decide: (request: IngestRequest) => typeof accepted | Promise<typeof accepted>;
const intake = fakeIntake((asked) => decide(asked));
beforeAll(async () => {
  api = await startActionsApi({
    intake: {
      ...intake,
      check: ({ body }) =>
        body.phone === 'bad'
          ? Promise.reject(new AppError('validation_failed', 'phone must be a phone.'))
          : Promise.resolve(),
    },
  });
});
afterAll(() => api.stop());

describe('import_leads', () => {
  const input = async (org: Org, more: object) => {
    const { campaign, supplier } = await setUp(api, org);
    return {
      campaign_id: campaign.id,
      supplier_id: supplier.id,
      import_id: 'one',
      csv: 'phone,name\n4155550134,Ada\nbad,Bob\n',
      ...more,
    };
  };
  interface Answer {
    counts: Record<string, number>;
    rows: { line: number; result: string; lead_id: string | null; repeated: boolean }[];
  }
  const answerOf = (request: IngestRequest) => {
    if (request.body.phone === 'bad') throw new AppError('validation_failed', 'phone is bad.');
    const id = `lead-${String(request.body.phone)}`;
    return { ...accepted, leadId: id, data: { ...accepted.data, id } };
  };
  beforeAll(() => {
    decide = answerOf;
  });
  const posts = () => intake.requests.splice(0);
  const passHours = (org: Org, hours: number) =>
    api.collections.importedRows.updateOne(
      { org_id: org.id },
      { $set: { begun_at: new Date(Date.now() - hours * 3_600_000) } },
    );

  it('checks rows without posting them in a dry run', async () => {
    const org = await api.org();
    const answer = await api.done<Answer>(org, 'import_leads', await input(org, { dry_run: true }));
    expect(answer).toMatchObject({
      dry_run: true,
      counts: { valid: 1, refused: 1 },
      rows: [
        { line: 2, result: 'valid', lead_id: null },
        { line: 3, result: 'refused', message: 'phone must be a phone.' },
      ],
    });
    expect(posts()).toEqual([]);
    expect(await api.collections.importedRows.countDocuments({ org_id: org.id })).toBe(0);
  });

  it('posts each row as its supplier, once, however often it is sent, at the same time too', async () => {
    const org = await api.org();
    const asked = await input(org, {});
    const answers = await Promise.all(
      [0, 0].map(() => api.done<Answer>(org, 'import_leads', asked)),
    );
    const again = await api.done<Answer>(org, 'import_leads', asked);
    for (const { rows } of [...answers, again])
      expect(rows).toMatchObject([
        { line: 2, result: 'accepted', lead_id: 'lead-4155550134' },
        { line: 3, result: 'refused', lead_id: null },
      ]);
    expect(again.rows[0]).toMatchObject({ repeated: true });
    const sent = posts().filter(({ body }) => body.phone === '4155550134');
    // Both of the same time have the key under which the intake makes one lead.
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(sent[0]?.body).toEqual({
      phone: '4155550134',
      name: 'Ada',
      flo_campaign_id: asked.campaign_id,
      flo_supplier_id: asked.supplier_id,
    });
  });

  it('knows a row by a column in every import, and refuses one that was changed', async () => {
    const org = await api.org();
    const asked = await input(org, { key_column: 'id', csv: 'id,phone\nA,1\n' });
    await api.done(org, 'import_leads', asked);
    const moved = { ...asked, import_id: 'two', csv: 'id,phone\nB,2\nA,1\n,3\n' };
    const { rows } = await api.done<Answer>(org, 'import_leads', moved);
    expect(rows).toMatchObject([
      { line: 2, result: 'accepted', repeated: false },
      { line: 3, result: 'accepted', repeated: true },
      { line: 4, result: 'refused', message: 'The key column id has no value.' },
    ]);
    const changed = { ...asked, csv: 'id,phone\nA,9\n' };
    const after = await api.done<Answer>(org, 'import_leads', changed);
    expect(after.rows).toMatchObject([{ result: 'refused', lead_id: null }]);
    expect(posts()).toHaveLength(2);
  });

  it('takes an export as it is, and tells rows that must be sent once more', async () => {
    const org = await api.org();
    const asked = await input(org, {
      csv: 'id,status,phone,fields.status\nx,ACCEPTED,1,warm\n#end 1,,,\n',
    });
    decide = () => {
      throw new AppError('rate_limited', 'Too many leads.', { retry_after: 1 });
    };
    const first = await api.done<Answer>(org, 'import_leads', asked);
    expect(first.rows).toMatchObject([{ line: 2, result: 'again' }]);
    decide = answerOf;
    const second = await api.done<Answer>(org, 'import_leads', asked);
    expect(second.rows).toMatchObject([{ line: 2, result: 'accepted' }]);
    const [, sent] = posts();
    expect(sent?.body).toMatchObject({ phone: '1', status: 'warm' });
    expect(sent?.body).not.toHaveProperty('id');
  });

  it('does not post a row again whose answer was lost longer ago than keys are kept', async () => {
    const org = await api.org();
    const asked = await input(org, { csv: 'phone\n7\n' });
    decide = () => {
      throw new AppError('outcome_unknown', 'The result is unknown.');
    };
    const lost = await api.done<Answer>(org, 'import_leads', asked);
    expect(lost.rows).toMatchObject([{ result: 'unanswered', lead_id: null }]);
    await passHours(org, 21);
    decide = answerOf;
    posts();
    const { rows } = await api.done<Answer>(org, 'import_leads', asked);
    expect(rows).toMatchObject([{ result: 'unknown', lead_id: null }]);
    expect(posts()).toEqual([]);
  });

  it('keeps what an earlier call began, when the row is then put off, and sells it no second time', async () => {
    const org = await api.org();
    const asked = await input(org, { csv: 'phone\n8\n' });
    // The lead is sold, and the call dies before it has kept that.
    decide = () => {
      throw new Error('The process dies.');
    };
    const { status } = await api.call(await org.sharedKey(), 'import_leads', asked);
    expect(status).toBe(500);
    decide = () => {
      throw new AppError('rate_limited', 'Too many leads.', { retry_after: 1 });
    };
    const second = await api.done<Answer>(org, 'import_leads', asked);
    expect(second.rows).toMatchObject([{ result: 'unanswered', lead_id: null }]);
    await passHours(org, 25);
    decide = answerOf;
    posts();
    const third = await api.done<Answer>(org, 'import_leads', asked);
    expect(third.rows).toMatchObject([{ result: 'unknown', lead_id: null }]);
    expect(posts()).toEqual([]);
  });

  it('keeps what two calls began when the first is put off while the second dies after its sale', async () => {
    const org = await api.org();
    const asked = await input(org, { csv: 'phone\n9\n' });
    const key = await org.sharedKey();
    decide = async () => {
      decide = () => {
        throw new Error('The process dies.');
      };
      await api.call(key, 'import_leads', asked);
      throw new AppError('rate_limited', 'Too many leads.', { retry_after: 1 });
    };
    await api.done(org, 'import_leads', asked);
    await passHours(org, 25);
    decide = answerOf;
    posts();
    const { rows } = await api.done<Answer>(org, 'import_leads', asked);
    expect(rows).toMatchObject([{ result: 'unknown' }]);
    expect(posts()).toEqual([]);
  });

  it.each([
    [{ csv: undefined }, 'One of rows and csv must be given'],
    [{ rows: [{ line: 1, fields: {} }] }, 'One of rows and csv must be given'],
    [{ csv: `phone\n${'1\n'.repeat(501)}` }, 'csv must have at most 500 rows; it has 501.'],
  ])('refuses %j', async (more, message) => {
    const org = await api.org();
    const { status, json } = await api.call(
      await org.sharedKey(),
      'import_leads',
      await input(org, more),
    );
    expect([status, json?.message]).toEqual([422, expect.stringContaining(message)]);
  });

  it('refuses fields that say how a lead is sent', async () => {
    const org = await api.org();
    const { rows } = await api.done<Answer>(
      org,
      'import_leads',
      await input(org, { csv: 'phone,flo_supplier_id\n1,other\n' }),
    );
    expect(rows).toMatchObject([{ result: 'refused' }]);
    expect(posts()).toEqual([]);
  });
});
