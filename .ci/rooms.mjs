/** The rooms from bottom to top: a room imports rooms listed before it, never after. */
export const ROOMS = [
  'workflows',
  'lib',
  'fields',
  'platform',
  'events',
  'account',
  'people',
  'leads',
  'deliveries',
  'routing',
  'distribution',
  'pings',
  'reports',
  'outcomes',
  'automations',
  'ingest',
  'portal',
  'funnels',
  'activities',
  'api',
  'web',
  'app',
  'embedded',
  'demo',
  'cli',
];

/** Folders beside `src` that are rooms themselves. */
export const TOP = new Set(['workflows', 'activities', 'cli']);

/** The entries of the image are wiring, as what they start. */
export const roomOf = (file) => {
  const [top, room] = file.split('/');
  if (TOP.has(top)) return top;
  return room === 'main.ts' || room === 'setup' ? 'app' : room;
};
