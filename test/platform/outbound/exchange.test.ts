import { performance } from 'node:perf_hooks';
import { describe, it, expect } from '@jest/globals';
import type { Dispatcher } from 'undici';
import type { TransportReply } from '../../../src/platform/outbound/reply.js';
import { Exchange } from '../../../src/platform/outbound/exchange.js';

const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

function exchange(writeInMs: number) {
  const replies: TransportReply[] = [];
  const now = performance.now();
  const limits = { writeBy: now + writeInMs, deadline: now + 1_000, maxResponseBytes: 100 };
  return { replies, subject: new Exchange(limits, (reply) => replies.push(reply)) };
}

describe('the moment of writing', () => {
  it('stops a request whose deadline has passed, even before its timer fires', () => {
    const { subject, replies } = exchange(5);
    const until = performance.now() + 10;
    while (performance.now() < until);
    expect(() => subject.onRequestStart(controller)).toThrow('no connection was free in time');
    subject.onResponseError(controller, new Error('too late'));
    expect(replies).toEqual([{ kind: 'not_sent', reason: 'too late' }]);
  });

  it('stops a request that was reported as not sent', () => {
    const { subject, replies } = exchange(500);
    subject.onResponseError(controller, new Error('refused'));
    expect(() => subject.onRequestStart(controller)).toThrow('canceled while it waited');
    expect(replies).toEqual([{ kind: 'not_sent', reason: 'refused' }]);
  });

  it('stops a second writing of one request, which stays unknown', () => {
    const { subject, replies } = exchange(500);
    subject.onRequestStart(controller);
    expect(() => subject.onRequestStart(controller)).toThrow('after the request was written');
    subject.onResponseError(controller, new Error('lost'));
    expect(replies).toEqual([{ kind: 'no_answer', reason: 'lost' }]);
  });

  it('shows the code and the text of an error, in one short line', () => {
    const { subject, replies } = exchange(500);
    const inner = Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' });
    subject.onResponseError(controller, new AggregateError([inner]));
    expect(replies).toEqual([{ kind: 'not_sent', reason: 'connect ECONNREFUSED ::1:80' }]);
  });
});
