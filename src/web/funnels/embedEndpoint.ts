/** The script that host pages load: its address never changes, since it is part of pages that are not ours. */
import { z } from 'zod';
import type { Endpoint } from '../../api/http/endpoint.js';
import { sendFile } from '../../api/http/servedFile.js';
import { AppError } from '../../lib/errors.js';
import { loadAssets } from '../server/assets.js';

/** From the folder of the pages' sources, as the build names it. */
const SOURCE = '../funnels/client/embed.ts';

const A_QUARTER_OF_AN_HOUR = 900;

export const embedScript: Endpoint = {
  id: 'embedScript',
  method: 'get',
  path: '/f/embed.js',
  summary: 'The script that shows a funnel on a page of another site',
  description:
    'It puts a frame with the funnel of its `data-funnel` behind itself, and sizes it by what is shown.',
  tag: 'api',
  auth: 'public',
  produces: 'text/javascript',
  outputs: { 200: z.string() },
  errors: ['not_found'],
  async handle(call) {
    const assets = await loadAssets();
    const name = assets.entry(SOURCE).script.replace(/^.*\//, '');
    const file = await assets.file(name);
    if (!file) throw new AppError('not_found', 'There is no page at this address.');
    return sendFile(file, call, {
      'cache-control': `public, max-age=${A_QUARTER_OF_AN_HOUR}`,
      // Host pages that isolate themselves load nothing else.
      'cross-origin-resource-policy': 'cross-origin',
    });
  },
};
