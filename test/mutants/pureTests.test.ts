import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPureTests } from './pureTests.js';

const FILES = {
  'src/rules/price.js': "import { add } from '../lib/add.js';\nexport const price = add;",
  'src/lib/add.js': "import { MongoClient } from 'mongodb';\nexport const add = MongoClient;",
  'test/rules/price.test.js': "import { price } from '../../src/rules/price.js';",
  'test/rules/stored.test.js':
    "import { db } from '../support/database.js';\nimport { price } from '../../src/rules/price.js';",
  'test/rules/late.test.js': "await import('node:child_process');",
  'test/support/database.js': "import { MongoClient } from 'mongodb';",
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadwire-pure-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('pure tests', () => {
  it('are those that reach no server by themselves or by a harness, with all that they load', () => {
    const tests = Object.keys(FILES).filter((path) => path.endsWith('.test.js'));
    expect(findPureTests(folder, tests)).toEqual(
      new Map([
        [
          'test/rules/price.test.js',
          new Set(['test/rules/price.test.js', 'src/rules/price.js', 'src/lib/add.js']),
        ],
      ]),
    );
  });
});
