import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Host } from '../../../cli/terminal/keyboard.js';
import { listenForStop } from '../../../cli/terminal/stopSignal.js';

function start() {
  const exits: number[] = [];
  const said: string[] = [];
  const clock = { ms: 0 };
  const emitter = Object.assign(new EventEmitter(), { exit: (code: number) => exits.push(code) });
  const host = emitter as unknown as Host;
  const stop = listenForStop({ host, say: (text) => said.push(text) }, () => clock.ms);
  const signal = (name: string) => emitter.emit(name, name);
  return { stop, signal, clock, exits, said, emitter };
}

describe('listenForStop', () => {
  it.each(['SIGINT', 'SIGTERM'])('asks for one orderly stop at %s', async (name) => {
    const { stop, signal, exits, said } = start();
    signal(name);
    await stop.requested;
    expect(said).toEqual(['Stopping. A second signal stops at once.']);
    expect(exits).toEqual([]);
  });

  it('counts a Ctrl-C from the terminal and from npm as one', () => {
    const { signal, clock, exits, said } = start();
    signal('SIGINT');
    clock.ms = 1_000;
    signal('SIGINT');
    expect(exits).toEqual([]);
    expect(said).toHaveLength(1);
  });

  it('exits at once at a later signal, with the code of that signal', () => {
    const { signal, clock, exits } = start();
    signal('SIGTERM');
    clock.ms = 1_001;
    signal('SIGINT');
    expect(exits).toEqual([130]);
  });

  it('can be asked from inside', async () => {
    const { stop, said } = start();
    stop.stop();
    await stop.requested;
    expect(said).toEqual([]);
  });

  it('leaves the signals alone when released', () => {
    const { stop, emitter } = start();
    stop.release();
    expect(emitter.listenerCount('SIGINT') + emitter.listenerCount('SIGTERM')).toBe(0);
  });
});
