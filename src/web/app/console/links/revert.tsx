import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite } from '../../lib/useActions.js';
import { Button, Confirm, Diff, Loaded, useToast } from '../../ui/index.js';
import type { Campaign } from './rows.js';
import { inWordsOf, summaryOf } from './words.js';

/** A button that goes back to a version, once the dialog has shown what that changes. */
export function Revert({
  campaign,
  to,
  newest,
}: {
  campaign: Campaign;
  to: number;
  newest: number;
}): ReactNode {
  const formats = useFormats();
  const toast = useToast();
  const may = useCan('revert_plan');
  const [isAsking, setIsAsking] = useState(false);
  const write = useWrite('revert_plan');
  if (!may) return null;
  const campaign_id = campaign.id;
  const undo = async (version: number): Promise<void> => {
    const done = await write.run({ campaign_id, version: newest, expected_version: version });
    if (done) toast(`Version ${done.version} says the same as version ${newest} again.`);
    else toast('It was not taken back: the campaign has changed since.', { tone: 'bad' });
  };
  const revert = async (): Promise<void> => {
    const done = await write.run({ campaign_id, version: to, expected_version: newest });
    if (!done) return;
    setIsAsking(false);
    const stays = summaryOf(done.still_different, 0, formats);
    toast(
      `Version ${done.version} has the settings of version ${to}.${stays && ` Still different: ${stays}.`}`,
      { undo: () => undo(done.version) },
    );
  };
  return (
    <>
      <Button kind="quiet" aria-label={`Revert to version ${to}`} onClick={() => setIsAsking(true)}>
        Revert
      </Button>
      <Confirm
        title={`Go back to version ${to}?`}
        act={`Revert to version ${to}`}
        isOpen={isAsking}
        write={write}
        onConfirm={revert}
        onClose={() => setIsAsking(false)}
      >
        <p>
          A new version gets the settings of version {to}: the campaign, and the terms of every
          buyer and supplier. Links that version {to} does not have are removed. It decides leads
          from now on; nothing that was sold changes.
        </p>
        {isAsking && <WhatChanges campaign={campaign} from={newest} to={to} />}
      </Confirm>
    </>
  );
}

/** What going back would change. */
function WhatChanges({
  campaign,
  from,
  to,
}: {
  campaign: Campaign;
  from: number;
  to: number;
}): ReactNode {
  const formats = useFormats();
  const of = useCall('get_plan_history', {
    campaign_id: campaign.id,
    limit: 1,
    from_version: from,
    to_version: to,
  });
  return (
    <Loaded of={of}>
      {({ difference }) => (
        <Diff
          caption="What changes"
          heads={['Now', `Version ${to}`]}
          rows={(difference?.changes ?? []).slice(0, 20).map((change) => {
            const { whose, what, before, after } = inWordsOf(change, formats);
            return {
              key: change.path,
              label: whose === '' ? what : `${whose}, ${what}`,
              before,
              after,
            };
          })}
        />
      )}
    </Loaded>
  );
}
