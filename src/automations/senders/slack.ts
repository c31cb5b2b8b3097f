import { automationUrlPlace } from '../../account/rules/sealedPlaces.js';
import { slackText } from '../rules/eventText.js';
import { httpResult } from './httpResult.js';
import { TIMEOUT_MS, type Sender } from './sender.js';

/** A message to an incoming webhook of Slack. */
export const sendToSlack: Sender<'SLACK'> = async (
  { envelope },
  { _id, target, org_id: orgId },
  deps,
) => {
  const reply = await deps.outbound.send({
    url: deps.keyring.open(target.url, automationUrlPlace(_id)),
    orgId,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: slackText(envelope) }),
    timeoutMs: TIMEOUT_MS,
  });
  return httpResult(reply, deps.clock.now());
};
