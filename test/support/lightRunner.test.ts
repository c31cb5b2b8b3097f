import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

type Listener = (message: string) => void;
interface Channel {
  onMessage(listener: Listener): void;
  postMessage(message: string): void;
}

const RUNNER = join(import.meta.dirname, '../../../.ci/lightRunner.mjs');
const { ownChannel } = (await import(RUNNER)) as { ownChannel: (shared: Channel) => Channel };

/** As in the runner: whoever asks, all listeners are answered, and then forgotten. */
function sharedChannel(): Channel {
  const listeners = new Set<Listener>();
  return {
    onMessage: (listener) => void listeners.add(listener),
    postMessage() {
      for (const listener of listeners) listener('configuration');
      listeners.clear();
    },
  };
}

describe('the workers of a test run', () => {
  it('are each answered when they ask, and not before', () => {
    const shared = sharedChannel();
    const answers: string[] = [];
    const [first, second] = ['first', 'second'].map((name) => {
      const channel = ownChannel(shared);
      channel.onMessage((message) => void answers.push(`${name}: ${message}`));
      return channel;
    });
    first?.postMessage('ask');
    expect(answers).toEqual(['first: configuration']);
    second?.postMessage('ask');
    expect(answers).toEqual(['first: configuration', 'second: configuration']);
  });
});
