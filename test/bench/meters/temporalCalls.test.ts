import { expect, it } from '@jest/globals';
import { callsIn } from './temporalCalls.js';

it('counts the calls of clients and workers, not those between the parts of the server', () => {
  const page = [
    '# TYPE service_requests counter',
    'service_requests{namespace="default",operation="StartWorkflowExecution",service_name="frontend"} 12',
    'service_requests{namespace="default",operation="PollWorkflowTaskQueue",service_name="frontend"} 1.5e+02',
    'service_requests{namespace="default",operation="RecordWorkflowTaskStarted",service_name="history"} 7',
    'service_requests_other{service_name="frontend"} 5',
  ].join('\n');
  expect(callsIn(page)).toBe(162);
});
