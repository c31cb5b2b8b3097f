/** `leadwire open`: a page of the server, in the caller's browser. */
import { findRunning } from '../../src/embedded/running.js';
import { browserOf, isWebAddress } from '../client/browser.js';
import { callServer } from '../client/call.js';
import { findConnection } from '../client/connection.js';
import { demoLink } from '../demo/demoLink.js';
import { isRow } from '../output/rows.js';
import { configFrom } from '../stack/installation.js';
import { temporalLink } from '../../src/platform/temporal/workflowLink.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { didYouMean } from '../../src/lib/nearest.js';
import { getOwn } from '../../src/lib/getOwn.js';

export interface OpenOptions {
  print?: true;
  json?: true;
  profile?: string;
  /** For a lead: its workflows in the Temporal UI, in the place of its page. */
  workflows?: true;
  /** Opens an address in a browser; absent: the caller's. */
  browse?: (url: string) => void;
}

interface Place {
  terminal: Terminal;
  options: OpenOptions;
  /** Absent where the page is of no single record. */
  id?: string;
}

type FindUrl = (place: Place) => string | Promise<string>;

interface Page {
  url: FindUrl;
  /** It is the page of one record, whose id is needed. */
  hasId?: true;
}

/** By what is opened. */
const PAGES: Readonly<Record<string, Page>> = {
  console: { url: (place) => consoleUrl(place, null) },
  changes: { url: (place) => consoleUrl(place, 'changes') },
  members: { url: (place) => consoleUrl(place, 'members') },
  buyer: { url: (place) => consoleUrl(place, `buyers/${place.id ?? ''}`), hasId: true },
  supplier: {
    url: (place) => consoleUrl(place, `suppliers/${place.id ?? ''}`),
    hasId: true,
  },
  lead: {
    url: (place) =>
      place.options.workflows ? workflowsUrl(place) : consoleUrl(place, `leads/${place.id ?? ''}`),
    hasId: true,
  },
  docs: {
    url: ({ terminal, options }) =>
      `${findConnection(terminal.environment, options.profile).url}/docs`,
  },
};

const OPENED = Object.keys(PAGES);

export async function open(
  terminal: Terminal,
  options: OpenOptions,
  kind = 'console',
  id?: string,
): Promise<ExitCode> {
  const page = getOwn(PAGES, kind);
  if (!page)
    throw new UsageError(
      `There is no page of ${kind}.${didYouMean(kind, OPENED)} There are: ${OPENED.join(', ')}.`,
    );
  if (page.hasId && id === undefined)
    throw new UsageError(
      `Which ${kind}? leadwire open ${kind} ID; leadwire ${kind}s list shows them.`,
    );
  if (options.workflows && kind !== 'lead')
    throw new UsageError('--workflows is for leads: leadwire open lead ID --workflows.');
  if (!page.hasId && id !== undefined) throw new UsageError(`${kind} is one page, without an id.`);
  const url = await page.url({ terminal, options, id });
  terminal.print(options.json ? JSON.stringify({ url }, null, 2) : url);
  const { browse = browserOf(terminal.environment) } = options;
  if (!options.print && !options.json && terminal.isWatched && isWebAddress(url)) browse(url);
  return EXIT.done;
}

/** Signed in where the demo runs here; else whoever signs in chooses the membership, and the key says which organization. */
async function consoleUrl({ terminal, options }: Place, page: string | null): Promise<string> {
  const found = findConnection(terminal.environment, options.profile);
  const signedIn = await demoLink(terminal.environment, found, page);
  if (signedIn !== null) return signedIn;
  const caller = { profile: options.profile, cli: ['open'] as const };
  return callServer(terminal, caller, async (client, { connection }) => {
    const { data } = await client.whoami();
    const organization = isRow(data) && isRow(data.organization) ? data.organization : {};
    const query = new URLSearchParams({ org: String(organization.id) });
    if (page !== null) query.set('page', page);
    return `${connection.url}/choose?${query.toString()}`;
  });
}

/** The workflows of a lead in the UI of Temporal: of a stack of this machine, or at the address that is set. */
function workflowsUrl({ terminal, id = '' }: Place): string {
  const { home, temporalNamespace, temporalUiUrl } = configFrom(terminal.environment);
  const ui = temporalUiUrl ?? findRunning(home)?.temporalUiUrl;
  if (ui !== undefined) return temporalLink(ui, temporalNamespace, id);
  throw new UsageError(
    `The workflows of a lead are shown by the Temporal UI of the stack, and no stack runs in ${home}. Set ` +
      `TEMPORAL_UI_URL, or see leadwire leads trail ${id}.`,
  );
}
