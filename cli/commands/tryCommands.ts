/** What suppliers and buyers do, for testing: ask for bids, send a lead, accept one, check a signature. */
import type { Command } from 'commander';
import type { PostOptions } from './postLead.js';
import type { ReceiveOptions } from './receive.js';
import type { PingOptions } from './sendPing.js';
import type { SignatureOptions } from './signature.js';
import type { ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { wholeNumber } from './wholeNumber.js';

const GROUP = 'As a supplier or a buyer:';

type Ended = (code: ExitCode) => void;

/** @param ended receives the exit code */
export function addTryCommands(program: Command, terminal: Terminal, ended: Ended): void {
  addPost(program.command('post').helpGroup(GROUP), terminal, ended);
  addPing(program.command('ping').helpGroup(GROUP), terminal, ended);
  addReceive(program.command('receive').helpGroup(GROUP), terminal, ended);
  addSignature(program.command('signature').helpGroup(GROUP), terminal, ended);
}

function addPost(post: Command, terminal: Terminal, ended: Ended): void {
  post
    .summary('send a lead, with the key of a supplier')
    .description(
      'Send a lead as a supplier does, and show the answer and its latency. It is a real lead, unless --test is ' +
        'given. leads send-test generates one, with a key of the organization.',
    )
    .requiredOption('--campaign-id <id>', 'the campaign')
    .requiredOption('--supplier-id <id>', 'the supplier that the key belongs to')
    .option('--field <name=value>', 'a field of the lead; repeatable', collect)
    .option('--input <file>', 'a JSON object of fields to start from, or - for standard input')
    .option(
      '--key <key>',
      "the supplier's key; better LEADWIRE_SUPPLIER_KEY, which others cannot see",
    )
    .option('--url <url>', 'server that accepts leads; default: the server of the profile')
    .option('--test', 'a test lead: only to buyers in test mode, and costs nothing')
    .option('--idempotency-key <text>', 'repeated with this key, the same lead is accepted once')
    .option('--exit-status', 'exit code 0 only when it is ACCEPTED')
    .option('--json', 'status, time and answer as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  leadwire post --campaign-id C --supplier-id S --test --field first_name=Ada \\\n' +
        '    --field last_name=Lovelace --field phone=4155550134 --field email=ada@example.com',
    )
    .action(async () => {
      const { postLead } = await import('./postLead.js');
      ended(await postLead(terminal, post.optsWithGlobals<PostOptions>()));
    });
}

function addPing(ping: Command, terminal: Terminal, ended: Ended): void {
  ping
    .argument('<campaign-id>', 'the campaign')
    .summary('ask for bids, with the key of a supplier')
    .description(
      'Request bids for a lead as a supplier does, and show them. With --post the lead is posted to them; ' +
        '--lead-field adds the fields that the ping lacks. It is a real lead, unless --test is given. pings get shows ' +
        'the bids and the buyers without one, with a key of the organization.',
    )
    .requiredOption('--supplier-id <id>', 'the supplier that the key belongs to')
    .option('--field <name=value>', 'a field of the ping, and of the lead; repeatable', collect)
    .option('--input <file>', 'a JSON object of fields to start from, or - for standard input')
    .option('--post', 'post the lead if there are bids')
    .option('--lead-field <name=value>', 'a field of the lead only; repeatable', collect)
    .option('--buyer-id <id>', 'post it to this bidder only')
    .option(
      '--key <key>',
      "the supplier's key; better LEADWIRE_SUPPLIER_KEY, which others cannot see",
    )
    .option('--url <url>', 'server that answers pings; default: the server of the profile')
    .option('--test', 'a test: only buyers in test mode bid, and it costs nothing')
    .option('--idempotency-key <text>', 'repeated with this key, the lead is accepted once')
    .option('--exit-status', 'exit code 0 only with a bid, and with --post when it is ACCEPTED')
    .option('--json', 'status, time and answer as JSON; with --post, of ping and lead')
    .addHelpText(
      'after',
      '\nExample:\n  leadwire ping C --supplier-id S --test --field state=CA --field zip_code=94103 --post \\\n' +
        '    --lead-field first_name=Ada --lead-field last_name=Lovelace \\\n' +
        '    --lead-field phone=4155550134 --lead-field email=ada@example.com',
    )
    .action(async (campaignId: string) => {
      const { sendPing } = await import('./sendPing.js');
      ended(await sendPing(terminal, campaignId, ping.optsWithGlobals<PingOptions>()));
    });
}

const collect = (text: string, before: string[] = []): string[] => [...before, text];

function addReceive(receiving: Command, terminal: Terminal, ended: Ended): void {
  receiving
    .summary('receive deliveries here, as a buyer would')
    .description(
      'Receive deliveries on this machine until Ctrl-C, check their signatures and show them. Each gets the same ' +
        'status, or the answer of the program that it is forwarded to unchanged.',
    )
    .option('--port <number>', 'port to listen at; 0 for any', wholeNumber(0, 65_535), 4_000)
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option('--secret <text>', "the buyer's signing secret; better LEADWIRE_SIGNING_SECRET")
    .option(
      '--answer <status>',
      '200 accepts, 422 rejects, 503 is unavailable',
      wholeNumber(200, 599),
      200,
    )
    .option('--forward-to <url>', 'forward each, and return the answer')
    .option('--jsonl', 'JSON, one delivery per line')
    .addHelpText('after', '\nExample:\n  leadwire receive --forward-to http://127.0.0.1:3000/leads')
    .action(async (options: ReceiveOptions) => {
      const { receive } = await import('./receive.js');
      ended(await receive(terminal, options));
    });
}

function addSignature(signature: Command, terminal: Terminal, ended: Ended): void {
  signature
    .summary('sign, verify: the signature of a delivery')
    .description(
      'X-LeadDistro-Signature is the HMAC-SHA256 of the raw body in hex; its key is the signing secret of the buyer, ' +
        'as text.',
    );
  const one = (name: string, summary: string): Command =>
    signature
      .command(name)
      .summary(summary)
      .description(`${summary}. The body is read from standard input, unchanged.`)
      .option('--body <file>', 'file with the raw body, instead of standard input')
      .option('--secret <text>', "the buyer's signing secret; better LEADWIRE_SIGNING_SECRET");
  one('sign', 'Print the signature of a body')
    .addHelpText('after', '\nExample:\n  leadwire signature sign --body delivery.json')
    .action(async (options: SignatureOptions) => {
      const { sign } = await import('./signature.js');
      ended(await sign(terminal, options));
    });
  one('verify', 'Check the signature of a body; exit code 1 when it is wrong')
    .requiredOption('--signature <hex>', 'value of the header X-LeadDistro-Signature')
    .addHelpText(
      'after',
      '\nExample:\n  leadwire signature verify --signature "$HEADER" --body delivery.json',
    )
    .action(async (options: SignatureOptions) => {
      const { verify } = await import('./signature.js');
      ended(await verify(terminal, options));
    });
}
