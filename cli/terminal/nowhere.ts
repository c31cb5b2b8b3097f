/** A terminal for a program that is only described: it prints, reads and runs nothing. */
import { createPaint } from '../output/paint.js';
import type { Terminal } from './terminal.js';

export const nowhere = (): Terminal => ({
  // Required, but never used: no command runs on this terminal.
  host: process,
  environment: {},
  print: () => undefined,
  say: () => undefined,
  paint: createPaint(false),
  sayPaint: createPaint(false),
  screen: null,
  isWatched: false,
  keyboard: {
    isTerminal: false,
    readAll: () => Promise.resolve(''),
    readBytes: () => Promise.resolve(new Uint8Array()),
    ask: () => Promise.resolve(null),
  },
});
