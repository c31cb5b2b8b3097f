import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { Checkbox, Field, Form, Select, TextArea, useToast } from '../../ui/index.js';
import { useWrite } from '../../lib/useActions.js';
import type { PartyInput, Portal, Side } from './types.js';
import { FLAGS, readSettings } from './readSettings.js';

interface PortalFormProps {
  portal: Portal;
  place: PartyInput | { side: Side };
}

/** Each setting is set here, or taken from the settings above it. */
export function PortalForm({ portal, place }: PortalFormProps): ReactNode {
  const configure = useWrite('configure_portal_settings');
  const may = useCan('configure_portal_settings');
  const toast = useToast();
  const [savedTimes, setSavedTimes] = useState(0);
  const save = async (values: FormData): Promise<void> => {
    const done = await configure.run({ ...place, ...(await readSettings(values)) });
    if (!done) return;
    setSavedTimes((times) => times + 1);
    toast('The settings were saved.');
  };
  return (
    <Form submit={may ? 'Save' : undefined} write={configure} onSubmit={save}>
      <Allowed portal={portal} isDisabled={!may} />
      <Looks portal={portal} isDisabled={!may} savedTimes={savedTimes} />
    </Form>
  );
}

interface PartProps {
  portal: Portal;
  /** A role that may not change the settings reads them. */
  isDisabled: boolean;
}

function Allowed({ portal, isDisabled }: PartProps): ReactNode {
  const shown = portal.fields?.join(', ') ?? 'all fields';
  return (
    <fieldset disabled={isDisabled}>
      <legend>Permissions</legend>
      <TextArea
        label="Fields shown"
        name="fields"
        defaultValue={portal.own.includes('fields') ? (portal.fields?.join('\n') ?? '*') : ''}
        hint={`One field name per line; * for all fields; empty: ${above(portal)}. Currently shown: ${shown}.`}
      />
      {FLAGS[portal.side].map(([name, label]) => (
        <Select
          key={name}
          label={label}
          name={name}
          defaultValue={portal.own.includes(name) ? String(portal[name]) : ''}
          options={[
            { value: '', label: inherited(portal, name, portal[name] ? 'yes' : 'no') },
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
        />
      ))}
      <Select
        label="Pausing"
        name="pause"
        defaultValue={portal.own.includes('pause') ? portal.pause : ''}
        options={[
          { value: '', label: inherited(portal, 'pause', portal.pause) },
          { value: 'off', label: 'Off' },
          { value: 'request', label: 'With your approval' },
          { value: 'direct', label: 'Immediately' },
        ]}
      />
    </fieldset>
  );
}

/** The file is sent once: after saving, the logo's fields start again, while the others keep what they hold. */
function Looks({ portal, isDisabled, savedTimes }: PartProps & { savedTimes: number }): ReactNode {
  const own = (name: string, value: string | null): string =>
    portal.own.includes(name) ? (value ?? '') : '';
  return (
    <fieldset disabled={isDisabled}>
      <legend>Branding</legend>
      <Field
        label="Name"
        name="display_name"
        defaultValue={own('display_name', portal.display_name)}
        hint={`Empty: ${nameWithout(portal)}`}
      />
      <Field
        label="Button color"
        name="primary_color"
        placeholder="#1f4fd8"
        defaultValue={own('primary_color', portal.primary_color)}
        hint="Hex, such as #1f4fd8; must be readable on white."
      />
      <Field
        label="Highlight color"
        name="accent_color"
        placeholder="#0e7a5f"
        defaultValue={own('accent_color', portal.accent_color)}
        hint="Hex, such as #0e7a5f; must be readable on white."
      />
      <Field
        key={`logo ${savedTimes}`}
        label="Logo"
        name="logo"
        type="file"
        accept="image/png,image/jpeg"
        hint={`PNG or JPEG, at most 200 kB and 2,000 pixels. ${portal.has_logo ? 'A logo is set.' : 'No logo is set.'}`}
      />
      {portal.own.includes('logo') && (
        <Checkbox key={`remove ${savedTimes}`} label="Remove the logo" name="remove_logo" />
      )}
    </fieldset>
  );
}

/** The source of a setting that is not set here. */
const above = ({ party, side }: Portal): string => (party ? `${side} default` : 'default');

/** For a setting that is set here, the value that would apply without it is unknown. */
const inherited = (portal: Portal, name: string, value: string): string =>
  portal.own.includes(name)
    ? capitalized(above(portal))
    : `${capitalized(above(portal))} (${value})`;

/** The portal's name where this place sets none. */
function nameWithout(portal: Portal): string {
  const isOwn = portal.own.includes('display_name');
  if (isOwn && portal.party) return above(portal);
  return (isOwn ? null : portal.display_name) ?? "the organization's name";
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
