/**
 * The rooms in layers, from bottom to top. A room imports lower layers; of its own layer it imports the rooms that stand
 * here with it, which are above it in the layer, each with the reason.
 */
export const LAYERS = {
  ground: {
    workflows: {},
    lib: {},
    fields: {
      lib: 'Values are read with the schema types, numbers and errors that every room uses.',
    },
  },
  platform: { platform: {}, embedded: {} },
  account: {
    events: {},
    account: {
      events: 'An automation is a record of the account and names the event that triggers it.',
    },
    people: { account: 'A membership is shown with the name of its organization and partner.' },
  },
  leads: {
    leads: {},
    deliveries: { leads: 'A delivery sends the values of a lead.' },
    routing: {
      leads: 'A route is chosen for a lead.',
      deliveries: 'Caps count deliveries, and an explanation shows the attempts.',
    },
  },
  work: {
    distribution: {},
    pings: {},
    reports: { pings: 'The reports count pings as they count leads.' },
    outcomes: {
      distribution: 'A returned lead is distributed again.',
      reports: 'Quotas of returns and reconciliations are read from the sums of the reports.',
    },
    automations: {},
    alerts: { reports: 'The usual share of sold leads is read from the sums of the reports.' },
  },
  doors: {
    ingest: {},
    portal: {},
    funnels: {
      ingest: 'A submitted form becomes a lead as a posted one does.',
    },
  },
  surfaces: {
    activities: {},
    api: {},
    web: { api: 'The screens call the API and take its types.' },
  },
  wiring: {
    app: {},
    demo: {},
    cli: {
      app: 'The command starts the service.',
      demo: 'The command starts the demo.',
    },
  },
};

export const ROOMS = Object.values(LAYERS).flatMap(Object.keys);

/** The rooms of the room's layer and of those above it that it does not import. */
export const forbiddenTo = (room) => {
  const layers = Object.values(LAYERS);
  const at = layers.findIndex((layer) => room in layer);
  if (at < 0) throw new Error(`${room} is no room of .ci/rooms.mjs`);
  return layers
    .slice(at)
    .flatMap(Object.keys)
    .filter((other) => other !== room && !(other in layers[at][room]));
};

/** Folders beside `src` that are rooms themselves. */
export const TOP = new Set(['workflows', 'activities', 'cli']);

/** The entries of the image are wiring, as what they start. */
export const roomOf = (file) => {
  const [top, room] = file.split('/');
  if (TOP.has(top)) return top;
  return room === 'main.ts' || room === 'setup' ? 'app' : room;
};
