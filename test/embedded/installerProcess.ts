/** A first run in a process of its own: `installerProcess.js <target>` prints `installed` or `waited`. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installOnce } from '../../src/embedded/binaries/cache.js';
import { silentReporter } from '../support/silentReporter.js';

const [target = ''] = process.argv.slice(2);
let did = 'waited';
await installOnce({
  name: 'mongod',
  variable: 'LEADWIRE_MONGOD',
  target,
  tried: [],
  reporter: silentReporter,
  check(path) {
    const whole = readFileSync(path, 'utf8') === 'first half, second half';
    return whole ? Promise.resolve('1') : Promise.reject(new Error('half-written'));
  },
  installers: [
    {
      title: 'slow installer',
      async install(folder) {
        did = 'installed';
        const path = join(folder, 'mongod');
        writeFileSync(path, 'first half, ');
        await sleep(700);
        appendFileSync(path, 'second half');
        return path;
      },
    },
  ],
});
process.stdout.write(`${did}\n`);
