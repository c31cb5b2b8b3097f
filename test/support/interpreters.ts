/** Programs in other languages, run if their interpreter is installed. */
import { spawn, spawnSync } from 'node:child_process';

export interface Ran {
  code: number;
  out: string;
}

/** The output of a program that an interpreter reads from standard input. */
export function interpret(command: string, args: string[], program: string): Promise<Ran> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (part: Buffer) => (out += part.toString()));
    child.stderr.on('data', (part: Buffer) => (out += part.toString()));
    child.on('error', fail);
    child.on('close', (code) => done({ code: code ?? -1, out }));
    child.stdin.end(program);
  });
}

/** A program is skipped without its interpreter. */
export const hasInterpreter = (command: string): boolean =>
  spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
