/** A posting guide as Markdown, to be sent to a supplier. */
import { PING_PLACEHOLDER } from './ping.js';
import type { Code, Guide, PingGuide, SampleAnswer } from './types.js';

/** People write names and rules: nothing in them may become markup. */
const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>#|~&!@]|:(?=\/\/)/g, (sign) => `\\${sign}`)
    .replace(/www\./gi, (word) => `${word.slice(0, 3)}\\.`);

/** As a lead contains it. */
const code = (text: string): string => (/[`|\s]/.test(text) ? escaped(text) : `\`${text}\``);

/** A fence longer than any inside the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');

export function guideAsMarkdown(guide: Guide): string {
  const { campaign, supplier, endpoint, headers, fields, curl, code: programs } = guide;
  const { answers, notes, ping } = guide;
  const title = `# Posting leads to ${escaped(campaign.name)}`;
  const who = supplier ? `For ${escaped(supplier.name)}.` : 'For suppliers of this campaign.';
  return [
    title,
    who,
    ...(campaign.vertical === null ? [] : [`Topic of its leads: ${escaped(campaign.vertical)}.`]),
    '## Where to post',
    ...(ping ? [pingPlace(ping)] : []),
    fenced('', `${endpoint.method} ${endpoint.url}`),
    ...(endpoint.note === null ? [] : [endpoint.note]),
    table(
      ['Header', 'Value', 'Required', 'Meaning'],
      headers.map(({ name, value, required, meaning }) => [
        code(name),
        code(value),
        required ? 'yes' : 'no',
        meaning,
      ]),
    ),
    '## Fields',
    table(
      ['Field', 'Type', 'Required', 'Rules', 'Example'],
      fields.map(({ name, label, type, required, rules, example }) => [
        label === name ? code(name) : `${code(name)}, ${escaped(label)}`,
        type,
        required ? 'yes' : 'no',
        escaped(rules.join('; ')),
        example === null ? '' : code(String(example)),
      ]),
    ),
    '## Try it',
    ...(ping ? tryPing(ping) : []),
    ping
      ? `A test lead to a test ping, with its ping_id in the place of ${PING_PLACEHOLDER}. It costs nothing, and goes only ` +
        'to buyers in test mode:'
      : 'A test lead. It costs nothing, and goes only to buyers in test mode:',
    fenced('sh', curl.test_lead),
    'A real lead:',
    fenced('sh', curl.lead),
    'Look up its status:',
    fenced('sh', curl.look_up),
    '## As a program',
    ...(ping ? ['A test ping:', ...programsOf(ping.code.test_ping)] : []),
    'A test lead:',
    ...programsOf(programs.test_lead),
    ...(ping ? ['## Answers to pings', ...answersOf(ping.answers)] : []),
    ping ? '## Answers to leads' : '## Answers',
    ...answersOf(answers),
    ...notes.flatMap(({ title: heading, text }) => [`## ${heading}`, text]),
    '',
  ].join('\n\n');
}

const answersOf = (answers: readonly SampleAnswer[]): string[] =>
  answers.flatMap(({ status, code: word, when, body }) => [
    `### ${status} ${word}`,
    when,
    fenced('json', JSON.stringify(body, null, 2)),
  ]);

const programsOf = ({ javascript, python, php }: Code): string[] => [
  '### JavaScript',
  fenced('js', javascript),
  '### Python',
  fenced('python', python),
  '### PHP',
  fenced('php', php),
];

const pingPlace = ({ endpoint, required }: PingGuide): string => {
  const must =
    required.length === 0
      ? 'No field is required'
      : `${required.map(code).join(', ')} must be present`;
  return [
    'First request bids for the lead:',
    fenced('', `${endpoint.method} ${endpoint.url}`),
    `${must}; any other field is optional. The answer has the bids, best first, and a ping_id. Then post the lead ` +
      'with it:',
  ].join('\n\n');
};

const tryPing = ({ curl }: PingGuide): string[] => [
  'A test ping. Only buyers in test mode bid:',
  fenced('sh', curl.test_ping),
  'A real ping:',
  fenced('sh', curl.ping),
];
