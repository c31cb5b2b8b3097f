import { useState, type ReactNode } from 'react';
import { OverlapField, overlapOf, ShownOnce, type Made } from '../../lib/rotation.js';
import { useWrite } from '../../lib/useActions.js';
import { Facts, FormButton, Section, Time } from '../../ui/index.js';
import type { BuyerTabProps } from './words.js';

interface SecretText {
  kind: 'signing' | 'webhook';
  title: string;
  about: string;
  overlap: string;
}

const SECRETS: readonly SecretText[] = [
  {
    kind: 'signing',
    title: 'Signing secret',
    about: 'Signs every lead that is sent, so that the buyer can verify that it comes from you.',
    overlap: 'Hours for which requests are also signed with the old secret',
  },
  {
    kind: 'webhook',
    title: 'Postback secret',
    about: 'The buyer sends it with outcomes and returns.',
    overlap: 'Hours for which the old secret is also accepted',
  },
];

/** The two secrets of a buyer. None is ever shown again: one that is lost or leaked is replaced. */
export default function Secrets({ buyer }: BuyerTabProps): ReactNode {
  return SECRETS.map((secret) => (
    <Section
      key={secret.kind}
      title={secret.title}
      actions={<Rotate buyer={buyer} secret={secret} />}
    >
      <p>{secret.about}</p>
      <Facts
        facts={[
          [
            'Old secret',
            buyer.previous_until[secret.kind] === null ? (
              'None is accepted'
            ) : (
              <>
                Also valid until <Time at={buyer.previous_until[secret.kind]} />
              </>
            ),
          ],
        ]}
      />
    </Section>
  ));
}

function Rotate({ buyer, secret }: BuyerTabProps & { secret: SecretText }): ReactNode {
  const { kind, title, overlap } = secret;
  const rotate = useWrite('rotate_buyer_secret');
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <FormButton
        button="Rotate"
        label={`Rotate the ${title.toLowerCase()}`}
        title={`Rotate the ${title.toLowerCase()}?`}
        write={rotate}
        submit="Rotate"
        run={(values) =>
          rotate.run({ buyer_id: buyer.id, secret: kind, overlap_hours: overlapOf(values) })
        }
        onDone={({ webhook_secret, signing_secret, previous_until }) =>
          setMade({
            secret: webhook_secret ?? signing_secret ?? '',
            previousUntil: previous_until,
          })
        }
      >
        <p>
          A new secret takes effect at once and is shown once. Hand it to <bdi>{buyer.name}</bdi>.
        </p>
        <OverlapField label={overlap} />
      </FormButton>
      <ShownOnce
        title={`New ${title.toLowerCase()}`}
        what="secret"
        made={made}
        onClose={() => setMade(null)}
      />
    </>
  );
}
