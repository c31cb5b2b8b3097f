import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { defaultProcesses, processesRule } from '../../../src/app/config/processes.js';

describe('the processes of leadwire up', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [7, 3],
    [8, 4],
    [64, 4],
  ])('on %i processors are by default %i', (processors, expected) => {
    expect(defaultProcesses(processors)).toBe(expected);
  });

  it.each(['1', '4'])('may be %s on 4 processors', (text) => {
    expect(processesRule(4).parse(text)).toBe(Number(text));
  });

  it.each(['0', '5', '-1', '1.5', 'two'])('may not be %s on 4 processors', (text) => {
    const message = 'must be a whole number from 1 to 4, the processors of this machine';
    expect(processesRule(4).safeParse(text).error?.issues).toMatchObject([{ message }]);
  });

  it('are read from PROCESSES, and refused by its name', () => {
    expect(readConfig({ PROCESSES: '1' }).processes).toBe(1);
    expect(readConfig({ PROCESSES: '' }).processes).toBe(defaultProcesses(availableParallelism()));
    expect(() => readConfig({ PROCESSES: '0' })).toThrow('PROCESSES: must be a whole number');
  });
});
