/** Makes a buyer or a supplier by its name; what it needs to be known by is shown this once. */
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { formText } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import { useWrite } from '../../lib/useActions.js';
import { Button, Code, Dialog, Field, FormButton } from '../../ui/index.js';
import type { Side } from './types.js';
import { pathOf } from './words.js';

interface Made {
  id: string;
  name: string;
  /** With their labels. */
  secrets: readonly (readonly [label: string, secret: string])[];
}

export function CreateParty({ side }: { side: Side }): ReactNode {
  const buyer = useWrite('create_buyer');
  const supplier = useWrite('create_supplier');
  const may = useCan(side === 'buyer' ? 'create_buyer' : 'create_supplier');
  const [made, setMade] = useState<Made | null>(null);
  const create = async (values: FormData): Promise<Made | null> => {
    const name = formText(values, 'name');
    if (side === 'supplier') {
      const done = await supplier.run({ name });
      return done && { id: done.id, name, secrets: [['Key', done.api_key]] };
    }
    const done = await buyer.run({ name });
    return (
      done && {
        id: done.id,
        name,
        secrets: [
          ['Signing secret', done.signing_secret],
          ['Postback secret', done.webhook_secret],
        ],
      }
    );
  };
  if (!may) return null;
  return (
    <>
      <FormButton
        button={`New ${side}`}
        kind="primary"
        title={`New ${side}`}
        write={side === 'buyer' ? buyer : supplier}
        submit="Create"
        run={create}
        onDone={setMade}
      >
        <Field label="Name" name="name" required maxLength={120} />
      </FormButton>
      <ShownSecrets side={side} made={made} />
    </>
  );
}

/** Closed by its button alone: nothing shows the secrets again. */
function ShownSecrets({ side, made }: { side: Side; made: Made | null }): ReactNode {
  const [, go] = useLocation();
  return (
    <Dialog
      title={side === 'buyer' ? 'Its secrets' : 'Its key'}
      isOpen={made !== null}
      onClose={() => undefined}
    >
      <p>
        <strong>Copy now: it is not shown again.</strong> Hand it to <bdi>{made?.name}</bdi>.
      </p>
      {made?.secrets.map(([label, secret]) => (
        <Code key={label} label={label} text={secret} />
      ))}
      <div className="actions">
        <Button kind="primary" onClick={() => made && go(pathOf(side, made.id))}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
