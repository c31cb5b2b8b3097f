/** The ports that a home used last: its addresses stay the same from start to start. */
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const NAMES = ['mongodb', 'temporal', 'temporal_ui', 'api'] as const;

/** By what listens there; absent: not known. */
export type HomePorts = Partial<Record<(typeof NAMES)[number], number>>;

/** Nothing where the file is absent or not readable: the ports are a convenience, and no start may fail for them. */
export function readPorts(path: string): HomePorts {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<string, unknown>>;
    return Object.fromEntries(
      NAMES.flatMap((name) => {
        const port = stored[name];
        return isPort(port) ? [[name, port]] : [];
      }),
    );
  } catch {
    return {};
  }
}

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= 65_535;

/** Adds these to the ports of the home. The file is replaced whole. */
export function keepPorts(path: string, ports: HomePorts): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ ...readPorts(path), ...ports })}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
