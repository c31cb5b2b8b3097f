/** The files that the pages of funnels load: the stylesheet, themes, and the script where it is built. */
import { createHash } from 'node:crypto';
import { servedFile } from '../../api/http/servedFile.js';
import type { ServedFile } from '../../api/http/deps.js';
import { lruMap } from '../../lib/lruMap.js';
import { loadAssets, type EntryFiles } from '../server/assets.js';
import { FUNNEL_STYLE } from './style.css.js';
import { themeCss } from './theme.js';

const CSS = 'text/css; charset=utf-8';
const bytes = Buffer.from(FUNNEL_STYLE.trimStart());
const STYLE_FILE = `funnel-${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.css`;
const style = servedFile(bytes, CSS);

/** Where pages find the stylesheet; its name changes with it. */
export const STYLE_PATH = `/f/assets/${STYLE_FILE}`;

const THEMES_MAX = 200;
const themes = lruMap<string, ServedFile>(THEMES_MAX);

/** The stylesheet or theme of that name; undefined for every other name. */
export function styleFile(name: string): ServedFile | undefined {
  if (name === STYLE_FILE) return style;
  const known = themes.get(name);
  if (known) return known;
  const css = themeCss(name);
  if (css === null) return undefined;
  const made = servedFile(Buffer.from(css), CSS);
  themes.set(name, made);
  return made;
}

/** The entry of the browser's script, as the built pages name it. */
const ENTRY = '../funnels/client/funnel.ts';

/** Null where the pages were not built: funnels work without script. */
export async function pageScript(): Promise<EntryFiles | null> {
  try {
    return (await loadAssets()).entry(ENTRY);
  } catch {
    return null;
  }
}
