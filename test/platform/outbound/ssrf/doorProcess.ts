/** `doorProcess.js <url>` sends one request through the outbound client with its environment, and prints the reply. */
import { createOutboundHttp } from '../../../../src/platform/outbound/http.js';

const door = createOutboundHttp({ allowPrivate: true });
const reply = await door.send({
  url: process.argv[2] ?? '',
  headers: {},
  body: '{}',
  timeoutMs: 2_000,
});
process.stdout.write(JSON.stringify(reply));
await door.close();
