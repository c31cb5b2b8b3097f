/** Makes the records of a run, for `run.sh`: the address of the API and a key in, JSON out. */
import { createClient } from '../../cli/client/client.js';
import { makeRecords } from './records.js';

const [url = '', key = ''] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await makeRecords(url, createClient({ url, key })))}\n`);
