/** `leadwire signature`: the result that a buyer's own check of a delivery must have. */
import { readFile } from 'node:fs/promises';
import { isSigned, signBody } from '../../src/platform/security/signatures.js';
import { describeError, EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';

export interface SignatureOptions {
  /** File with the raw body; without it, or `-`: standard input. */
  body?: string;
  secret?: string;
  /** For `verify`: the value of the header. */
  signature?: string;
}

/** Prints the signature of a body. */
export async function sign(terminal: Terminal, options: SignatureOptions): Promise<ExitCode> {
  const secret = secretOf(terminal, options);
  terminal.print(signBody(secret, await bodyOf(terminal, options)));
  return EXIT.done;
}

/** Exit code 1 when the signature does not match the body. */
export async function verify(terminal: Terminal, options: SignatureOptions): Promise<ExitCode> {
  const secret = secretOf(terminal, options);
  const { signature = '' } = options;
  if (!/^\s*[0-9a-f]{64}\s*$/i.test(signature))
    throw new UsageError(
      '--signature must be the value of X-LeadDistro-Signature: 64 digits, 0-9 and a-f.',
    );
  const body = await bodyOf(terminal, options);
  if (isSigned(secret, body, signature)) {
    terminal.print('The signature is right.');
    return EXIT.done;
  }
  terminal.say(
    `${terminal.sayPaint.red('The signature is wrong.')} ${adviceOn(secret, body, signature)}`,
  );
  return EXIT.failed;
}

/** The most frequent mistakes. */
function adviceOn(secret: string, body: Uint8Array, signature: string): string {
  const text = Buffer.from(body).toString();
  const variants: [string, () => boolean][] = [
    [
      'It is right without the line break at the end of the body, which was added in transit.',
      () => isSigned(secret, text.replace(/\r?\n$/, ''), signature),
    ],
    [
      'It is right with the secret without the blanks around it.',
      () => isSigned(secret.trim(), body, signature),
    ],
    [
      'It is right for the body in compact JSON: this one was formatted again. Use the bytes as received.',
      () => isSigned(secret, compact(text), signature),
    ],
  ];
  const found = variants.find(([, fits]) => fits());
  return (
    found?.[0] ??
    `${body.length} bytes were signed with another secret, or differ from those that were sent. The secret is the ` +
      'text itself, not the bytes that its hex encodes.'
  );
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function secretOf({ environment }: Terminal, { secret }: SignatureOptions): string {
  const found = secret ?? environment.LEADWIRE_SIGNING_SECRET;
  if (found) return found;
  throw new UsageError(
    "The buyer's signing secret is needed: LEADWIRE_SIGNING_SECRET, or --secret. leadwire buyers create shows it.",
  );
}

async function bodyOf({ keyboard }: Terminal, { body }: SignatureOptions): Promise<Uint8Array> {
  if (body === undefined || body === '-') return keyboard.readBytes();
  return readFile(body).catch((error: unknown) => {
    throw new UsageError(`Cannot read the file ${body}: ${describeError(error, false)}`);
  });
}
