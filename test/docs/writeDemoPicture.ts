/** Writes the terminal's picture in the README, of a demo's output, which comes in as standard input. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../deploy/repository.js';
import { drawTerminal } from './terminalPicture.js';

const PICTURE = join(ROOT, 'docs/images/console/demo.svg');

/** The whole output is long: the picture has the leads, the auction and the verdict. */
const parts = (await text(process.stdin)).trim().split('\n\n\n');
const partOf = (title: string): string => {
  const found = parts.find((part) => part.split('\n')[0]?.includes(title));
  if (found === undefined) throw new Error(`The demo has printed no part "${title}"`);
  return found;
};
const verdict = parts.at(-1)?.split('\n\n').at(-1) ?? '';
mkdirSync(dirname(PICTURE), { recursive: true });
writeFileSync(
  PICTURE,
  drawTerminal(
    ['$ npm run demo', partOf('Leads'), partOf('Auction'), verdict].join('\n\n'),
    'The result of each lead of the demo',
  ),
);
