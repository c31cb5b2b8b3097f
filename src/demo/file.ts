/** `demo.json`: where the demo runs and the keys to it, for people and programs that want to try it. */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const DemoFile = z.object({
  base_url: z.string(),
  ingest_url: z.string(),
  temporal_ui_url: z.string().nullable(),
  temporal_address: z.string(),
  mongodb_uri: z.string(),
  org_api_key: z.string(),
  read_only_api_key: z.string(),
  supplier: z.object({ id: z.string(), api_key: z.string() }),
  campaigns: z.object({ direct_post_id: z.string(), ping_post_id: z.string() }),
  buyer: z.object({ id: z.string(), webhook_secret: z.string() }),
  /** How a person signs in; null: the password was changed since. Absent in files of earlier releases. */
  sign_in: z.object({ email: z.string(), password: z.string() }).nullish(),
});
export type DemoFile = z.infer<typeof DemoFile>;

export const demoFilePath = (home: string): string => join(home, 'demo.json');

/** What the last start wrote; null when there is none, or none that can be read. */
export async function readDemoFile(home: string): Promise<DemoFile | null> {
  try {
    return DemoFile.parse(JSON.parse(await readFile(demoFilePath(home), 'utf8')));
  } catch {
    return null;
  }
}

/** Replaces the file in one step; only its owner may read it. */
export async function writeDemoFile(home: string, content: DemoFile): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = demoFilePath(home);
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}
