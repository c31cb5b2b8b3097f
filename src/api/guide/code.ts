/** A request as programs and command lines that run as they are. */
import type { Fields, Scalar } from '../../fields/values.js';
import type { Code } from './types.js';

/** Each needs only the standard library of its language. */
export const codeOfLead = (url: string, key: string, lead: Fields): Code => ({
  javascript: javascriptOf(url, key, lead),
  python: pythonOf(url, key, lead),
  php: phpOf(url, key, lead),
});

/** A JSON string literal is one in JavaScript and in Python, too. */
const quoted = (text: string): string => JSON.stringify(text);

const javascriptOf = (url: string, key: string, lead: Fields): string => `\
const lead = ${JSON.stringify(lead, null, 2)};

fetch(${quoted(url)}, {
  method: "POST",
  headers: { "content-type": "application/json", "x-api-key": ${quoted(key)} },
  body: JSON.stringify(lead),
}).then(async (answer) => console.log(answer.status, await answer.text()));`;

const pythonOf = (url: string, key: string, lead: Fields): string => `\
import json
import urllib.error
import urllib.request

lead = {
${listed(lead, (name, value) => `    ${quoted(name)}: ${pythonValue(value)},`)}
}

request = urllib.request.Request(
    ${quoted(url)},
    data=json.dumps(lead).encode(),
    headers={"content-type": "application/json", "x-api-key": ${quoted(key)}},
)
try:
    with urllib.request.urlopen(request) as answer:
        print(answer.status, answer.read().decode())
except urllib.error.HTTPError as refusal:
    print(refusal.code, refusal.read().decode())`;

const phpOf = (url: string, key: string, lead: Fields): string => `\
<?php
$lead = [
${listed(lead, (name, value) => `    ${phpText(name)} => ${phpValue(value)},`)}
];

$request = curl_init(${phpText(url)});
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ['content-type: application/json', ${phpText(`x-api-key: ${key}`)}],
    CURLOPT_POSTFIELDS => json_encode($lead),
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, "\\n";`;

const listed = (lead: Fields, line: (name: string, value: Scalar) => string): string =>
  Object.entries(lead)
    .map(([name, value]) => line(name, value))
    .join('\n');

function pythonValue(value: Scalar): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** Within single quotes PHP interprets only the quote and the backslash. */
const phpText = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const phpValue = (value: Scalar): string =>
  typeof value === 'string' ? phpText(value) : JSON.stringify(value);

/** Within single quotes a shell interprets only the quote itself. */
const shellText = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlOfLead = (url: string, key: string, lead: Fields): string =>
  [
    `curl -sS ${shellText(url)}`,
    `  -H 'content-type: application/json'`,
    `  -H ${shellText(`x-api-key: ${key}`)}`,
    `  -d ${shellText(JSON.stringify(lead))}`,
  ].join(' \\\n');

/** The status of a lead with this email. */
export function curlOfLookup(base: string, key: string, campaignId: string, lead: Fields): string {
  const query = new URLSearchParams({
    campaign_id: campaignId,
    email: String(lead.email ?? 'jane.doe@example.com'),
  });
  const url = `${base}/api/v1/leads/lookup?${query.toString()}`;
  return [`curl -sS ${shellText(url)}`, `  -H ${shellText(`x-api-key: ${key}`)}`].join(' \\\n');
}
