import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { createKeyboard, type Host } from '../../../cli/terminal/keyboard.js';

function createProcess() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  let shown = '';
  stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const keyboard = createKeyboard({ stdin, stderr } as unknown as Host);
  return { stdin, keyboard, shown: () => shown };
}

describe('a question', () => {
  it('returns what was typed', async () => {
    const { stdin, keyboard, shown } = createProcess();
    const answer = keyboard.ask('Sure? ');
    stdin.write('yes\r');
    expect(await answer).toBe('yes');
    expect(shown()).toContain('Sure? ');
    expect(keyboard.isTerminal).toBe(true);
  });

  it('never shows a secret', async () => {
    const { stdin, keyboard, shown } = createProcess();
    const answer = keyboard.ask('Key: ', true);
    stdin.write('lw_live_abc\r');
    expect(await answer).toBe('lw_live_abc');
    expect(shown()).toBe('Key: \n');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('has no answer after %s, and what follows is on a line of its own', async (_key, typed) => {
    const { stdin, keyboard, shown } = createProcess();
    const answer = keyboard.ask('Sure? ');
    stdin.write(typed);
    expect(await answer).toBeNull();
    expect(shown()).toMatch(/\n$/);
  });

  it('has none where the input ends, and all of it can be read', async () => {
    const ended = createProcess();
    const answer = ended.keyboard.ask('Key: ', true);
    ended.stdin.end();
    expect(await answer).toBeNull();
    const { stdin, keyboard } = createProcess();
    stdin.end('{"a":1}');
    expect(await keyboard.readAll()).toBe('{"a":1}');
  });
});
