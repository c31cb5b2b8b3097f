import { expect, it } from '@jest/globals';
import { sumByName } from './sumByName.js';

it('adds up the use of processes with the same name', () => {
  const processes = [
    { name: 'intake', used: 1 },
    { name: 'mongod', used: 10 },
    { name: 'intake', used: 2 },
  ];
  expect(sumByName(processes, ({ used }) => used)).toEqual({ intake: 3, mongod: 10 });
});
