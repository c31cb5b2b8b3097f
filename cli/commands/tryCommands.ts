/** What suppliers and buyers do, for testing: ask for bids, send a lead, accept one, check a signature. */
import type { CliCommand } from '../terminal/command.js';
import { collect, wholeNumber } from './options.js';

const GROUP = 'As a supplier or a buyer:';
const SUPPLIER_KEY = [
  '--key <key>',
  "the supplier's key; better LEADWIRE_SUPPLIER_KEY, which others cannot see",
] as const;
const SIGNING_SECRET = [
  '--secret <text>',
  "the buyer's signing secret; better LEADWIRE_SIGNING_SECRET",
] as const;

export function addTryCommands(program: CliCommand): void {
  addPost(program.command('post').helpGroup(GROUP));
  addPing(program.command('ping').helpGroup(GROUP));
  addReceive(program.command('receive').helpGroup(GROUP));
  addSignature(program.command('signature').helpGroup(GROUP));
}

function addPost(post: CliCommand): void {
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
    .option(...SUPPLIER_KEY)
    .option('--url <url>', 'server that accepts leads; default: the server of the profile')
    .option('--test', 'a test lead: only to buyers in test mode, and costs nothing')
    .option('--idempotency-key <text>', 'repeated with this key, the same lead is accepted once')
    .option('--exit-status', 'exit code 0 only when it is ACCEPTED')
    .option('--json', 'status, time and answer as JSON')
    .example(
      'leadwire post --campaign-id C --supplier-id S --test --field first_name=Ada \\\n' +
        '    --field last_name=Lovelace --field phone=4155550134 --field email=ada@example.com',
    )
    .runs(async () => (await import('./postLead.js')).postLead);
}

function addPing(ping: CliCommand): void {
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
    .option(...SUPPLIER_KEY)
    .option('--url <url>', 'server that answers pings; default: the server of the profile')
    .option('--test', 'a test: only buyers in test mode bid, and it costs nothing')
    .option('--idempotency-key <text>', 'repeated with this key, the lead is accepted once')
    .option('--exit-status', 'exit code 0 only with a bid, and with --post when it is ACCEPTED')
    .option('--json', 'status, time and answer as JSON; with --post, of ping and lead')
    .example(
      'leadwire ping C --supplier-id S --test --field state=CA --field zip_code=94103 --post \\\n' +
        '    --lead-field first_name=Ada --lead-field last_name=Lovelace \\\n' +
        '    --lead-field phone=4155550134 --lead-field email=ada@example.com',
    )
    .runs(async () => (await import('./sendPing.js')).sendPing);
}

function addReceive(receiving: CliCommand): void {
  receiving
    .summary('receive deliveries here, as a buyer would')
    .description(
      'Receive deliveries on this machine until Ctrl-C, check their signatures and show them. Each gets the same ' +
        'status, or the answer of the program that it is forwarded to unchanged.',
    )
    .option('--port <number>', 'port to listen at; 0 for any', wholeNumber(0, 65_535), 4_000)
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option(...SIGNING_SECRET)
    .option(
      '--answer <status>',
      '200 accepts, 422 rejects, 503 is unavailable',
      wholeNumber(200, 599),
      200,
    )
    .option('--forward-to <url>', 'forward each, and return the answer')
    .option('--jsonl', 'JSON, one delivery per line')
    .example('leadwire receive --forward-to http://127.0.0.1:3000/leads')
    .runs(async () => (await import('./receive.js')).receive);
}

function addSignature(signature: CliCommand): void {
  signature
    .summary('sign, verify: the signature of a delivery')
    .description(
      'X-LeadDistro-Signature is the HMAC-SHA256 of the raw body in hex; its key is the signing secret of the buyer, ' +
        'as text.',
    );
  const one = (name: string, summary: string): CliCommand =>
    signature
      .command(name)
      .summary(summary)
      .description(`${summary}. The body is read from standard input, unchanged.`)
      .option('--body <file>', 'file with the raw body, instead of standard input')
      .option(...SIGNING_SECRET);
  one('sign', 'Print the signature of a body')
    .example('leadwire signature sign --body delivery.json')
    .runs(async () => (await import('./signature.js')).sign);
  one('verify', 'Check the signature of a body; exit code 1 when it is wrong')
    .requiredOption('--signature <hex>', 'value of the header X-LeadDistro-Signature')
    .example('leadwire signature verify --signature "$HEADER" --body delivery.json')
    .runs(async () => (await import('./signature.js')).verify);
}
