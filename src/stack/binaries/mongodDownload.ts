/** A script: `mongodDownload.js <folder> <version>` downloads mongod and prints `mongod=<path>`. */
import { MongoBinary } from 'mongodb-memory-server-core';

const [folder, version] = process.argv.slice(2);
try {
  const path = await MongoBinary.getPath({ downloadDir: folder, version });
  process.stdout.write(`\nmongod=${path}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message.replace(/\s+/g, ' ').trim()}\n`);
  process.exitCode = 1;
}
