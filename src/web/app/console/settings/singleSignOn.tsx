/** How people sign in by the identity provider of the organization. */
import { useState, type ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite, type OutputOf } from '../../lib/useActions.js';
import {
  Button,
  Checkbox,
  Chip,
  Code,
  Dialog,
  Facts,
  Field,
  Form,
  Loaded,
  Section,
  useToast,
  Written,
} from '../../ui/index.js';

type Settings = OutputOf<'get_single_sign_on'>;

export function SingleSignOn(): ReactNode {
  const settings = useCall('get_single_sign_on', {});
  const may = useCan('configure_single_sign_on');
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <Section
      title="Single sign-on"
      actions={
        may &&
        settings.data && (
          <Button onClick={() => setIsOpen(true)}>
            {settings.data.issuer === null ? 'Set up' : 'Change'}
          </Button>
        )
      }
    >
      <Loaded of={settings}>
        {(data) => (
          <>
            <div className="card">
              <Present settings={data} />
            </div>
            {may && isOpen && <SignOnDialog settings={data} onClose={close} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Present({ settings }: { settings: Settings }): ReactNode {
  const { issuer, client_id, is_enabled, sign_in_url } = settings;
  if (issuer === null)
    return (
      <p className="muted">
        People sign in with a password. With an identity provider (OpenID Connect) they can sign in
        there.
      </p>
    );
  return (
    <div className="stack">
      <Facts
        facts={[
          ['State', is_enabled ? <Chip tone="good">On</Chip> : <Chip tone="neutral">Off</Chip>],
          ['Provider', <Written>{issuer}</Written>],
          ['Client ID', <Written>{client_id ?? '–'}</Written>],
        ]}
      />
      <Code label="People sign in at" text={sign_in_url} />
    </div>
  );
}

interface SignOnDialogProps {
  settings: Settings;
  onClose(): void;
}

function SignOnDialog({ settings, onClose }: SignOnDialogProps): ReactNode {
  const { issuer, client_id, is_enabled, redirect_url } = settings;
  const write = useWrite('configure_single_sign_on');
  const toast = useToast();
  const send = async (values: FormData): Promise<void> => {
    const secret = formText(values, 'client_secret');
    const done = await write.run({
      issuer: formText(values, 'issuer'),
      client_id: formText(values, 'client_id'),
      client_secret: secret === '' ? undefined : secret,
      is_enabled: values.has('is_enabled'),
    });
    if (!done) return;
    onClose();
    toast(done.is_enabled ? 'People can sign in at the provider.' : 'Single sign-on is off.');
  };
  return (
    <Dialog title="Single sign-on" isOpen onClose={onClose}>
      <p>At the provider, make an OpenID Connect client, and allow this redirect address:</p>
      <Code label="Redirect address" text={redirect_url} />
      <Form write={write} submit="Save" onSubmit={send}>
        <Field
          label="Address of the provider"
          name="issuer"
          type="url"
          required
          maxLength={500}
          placeholder="https://login.example.com"
          defaultValue={issuer ?? ''}
        />
        <Field
          label="Client ID"
          name="client_id"
          required
          maxLength={500}
          defaultValue={client_id ?? ''}
        />
        <Field
          label="Client secret"
          name="client_secret"
          type="password"
          autoComplete="off"
          maxLength={2_000}
          required={issuer === null}
          hint={issuer === null ? undefined : 'Leave it empty to keep the present one.'}
        />
        <Checkbox
          label="People can sign in with it"
          name="is_enabled"
          defaultChecked={issuer === null || is_enabled}
        />
      </Form>
    </Dialog>
  );
}
