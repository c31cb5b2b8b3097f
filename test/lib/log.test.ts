import { MongoBulkWriteError, MongoNetworkError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '../../src/lib/log.js';
import { aLead } from '../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../support/database.js';

const PERSON = { phone: '+15558675309', email: 'jane.doe@example.com' };

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog('debug', 'test', { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

describe('the log', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it('omits the leads that the error of a bulk write carries', async () => {
    const lead = aLead({ fields: PERSON });
    const error: unknown = await database.collections.leads
      .insertMany([lead, lead])
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MongoBulkWriteError);
    expect(JSON.stringify((error as MongoBulkWriteError).writeErrors)).toContain(PERSON.phone);
    const line = logged((log) => log.error({ err: error }, 'insert failed'));
    expect(line).toMatchObject({
      msg: 'insert failed',
      err: { type: 'MongoBulkWriteError', code: 11_000, stack: expect.stringMatching(/^ +at /) },
    });
    const text = JSON.stringify(line);
    for (const value of Object.values(PERSON)) expect(text).not.toContain(value);
  });

  it('names an error, its code and its causes, also when only the error is logged', () => {
    const cause = Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED', body: PERSON });
    const line = logged((log) => log.warn(new Error('no answer', { cause })));
    expect(line.err).toEqual({
      type: 'Error',
      message: 'no answer',
      stack: expect.any(String),
      cause: {
        type: 'TypeError',
        message: 'refused',
        code: 'ECONNREFUSED',
        stack: expect.any(String),
      },
    });
  });

  it('omits the content of a thrown value that is not an error', () => {
    expect(logged((log) => log.warn({ err: PERSON }, 'thrown')).err).toEqual({
      type: 'object',
      message: 'not an error',
    });
  });

  it('reports a database that is away once with name, code and message, and then counts', () => {
    const lines: Record<string, unknown>[] = [];
    const stream = { write: (line: string) => void lines.push(JSON.parse(line) as never) };
    const reports: ((count: number) => void)[] = [];
    const texts = new Set<string>();
    const log = createLog('debug', 'test', stream, {
      isFirst(text, report) {
        if (texts.has(text)) return false;
        reports.push(report);
        texts.add(text);
        return true;
      },
    });
    const away = () => Object.assign(new MongoNetworkError('connect ECONNREFUSED'), { code: 6 });
    for (let request = 0; request < 3; request += 1) {
      log.warn({ err: away(), leads: 1 }, 'a group could not be committed');
      log.error({ err: new Error('no answer', { cause: away() }) }, 'a request failed');
      log.warn({ err: new Error('a bug') }, 'a group could not be committed');
    }
    for (const report of reports) report(2);
    const outage = { type: 'MongoNetworkError', code: 6, message: 'connect ECONNREFUSED' };
    const told = lines.filter(({ err }) => JSON.stringify(err).includes('ECONNREFUSED'));
    expect(told.map(({ msg, err, repeated }) => ({ msg, err, repeated }))).toEqual([
      { msg: 'a group could not be committed', err: outage },
      { msg: 'a request failed', err: { type: 'Error', message: 'no answer', cause: outage } },
      { msg: 'a group could not be committed', err: outage, repeated: 2 },
      { msg: 'a request failed', err: outage, repeated: 2 },
    ]);
    expect(lines.filter(({ err }) => JSON.stringify(err).includes('a bug'))).toHaveLength(3);
  });
});
