/**
 * jest-light-runner in child processes. There, a worker asks for its configuration when it starts; the runner answers all
 * that have not asked yet, and never again. A worker that is still loading then misses the answer and waits for ever, and
 * the run with it. So each task has a channel of its own, which answers the worker that asks.
 */
import { createRunner } from 'jest-light-runner';
import Tinypool from 'tinypool';

const { run } = Tinypool.prototype;

Tinypool.prototype.run = function (task, options) {
  const own = options?.channel && { ...options, channel: ownChannel(options.channel) };
  return run.call(this, task, own ?? options);
};

/** A channel for one task, over one that sends its answer to all listeners and then forgets them. */
export function ownChannel(shared) {
  let send;
  return {
    onMessage: (listener) => {
      send = listener;
    },
    postMessage: (message) => {
      shared.onMessage(send);
      shared.postMessage(message);
    },
  };
}

export default createRunner({ runtime: 'child_process' });
