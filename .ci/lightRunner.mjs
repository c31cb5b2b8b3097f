/**
 * jest-light-runner, with each worker sent the data that it asks for. The runner answers the first worker that asks by a
 * message to all that have a task: one that is not listening yet loses it, gets no other, and the run never ends.
 */
import Tinypool from 'tinypool';

const { run } = Tinypool.prototype;
Tinypool.prototype.run = function (task, options) {
  const channel = options?.channel;
  return run.call(this, task, channel ? { ...options, channel: ofOneWorker(channel) } : options);
};

/** The worker listens to the shared channel only while its own question is answered. */
function ofOneWorker(channel) {
  let listener;
  return {
    onMessage(given) {
      listener = given;
    },
    postMessage(message) {
      channel.onMessage(listener);
      channel.postMessage(message);
    },
  };
}

export { default } from 'jest-light-runner';
