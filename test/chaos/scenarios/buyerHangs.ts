/** The only buyer of a campaign accepts requests and never answers; no process may send a lead again blindly. */
import { playBadBuyer, some, type BadBuyer } from './badBuyer.js';
import type { Scenario } from './scenario.js';

const HANGS: BadBuyer = {
  troubles: [
    {
      name: 'hangs',
      seconds: 120,
      begin: (cluster, buyer) => cluster.setBuyers([buyer], 'hanging'),
    },
  ],
  recover: (cluster, buyer) => cluster.setBuyers([buyer], null),
  judge: ({ held, sentAgain, unlisted }) => [
    ...(held.length > 0 ? [] : ['no lead is held: the trouble was none']),
    ...(sentAgain.length === 0
      ? []
      : [`${sentAgain.length} leads were sent again blindly: ${some(sentAgain)}`]),
    ...(unlisted.length === 0
      ? []
      : [`${unlisted.length} leads were sent, not answered, and are not held: ${some(unlisted)}`]),
  ],
};

export const buyerHangs: Scenario = (options) => playBadBuyer(HANGS, options);
