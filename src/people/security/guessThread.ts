/** The thread that estimates how soon passwords are guessed. */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { GuessAnswer, GuessQuestion } from './guesses.js';

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

parentPort?.on('message', ({ id, password, words }: GuessQuestion) => {
  const answer: GuessAnswer = { id, guesses: zxcvbn.check(password, words).guesses };
  parentPort?.postMessage(answer);
});
