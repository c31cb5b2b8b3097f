/** The only buyer of a campaign refuses connections, and then answers 503. */
import { playBadBuyer, type BadBuyer } from './badBuyer.js';
import type { Scenario } from './scenario.js';

const REFUSES: BadBuyer = {
  troubles: [
    {
      name: 'refuses',
      seconds: 120,
      begin: (cluster, buyer) => cluster.setNetwork([buyer], 'refuse', 1),
    },
    {
      name: '503',
      seconds: 120,
      async begin(cluster, buyer) {
        await cluster.setBuyers([buyer], 'busy');
        await cluster.setNetwork([buyer], null, 0);
      },
    },
  ],
  recover: (cluster, buyer) => cluster.setBuyers([buyer], null),
  // Requests open at the moment when it begins to refuse are cut, and correctly held.
  judge: ({ heldForNothing }) =>
    heldForNothing.length === 0
      ? []
      : [`${heldForNothing.length} leads are held, though each request was answered`],
};

export const buyerRefuses: Scenario = (options) => playBadBuyer(REFUSES, options);
