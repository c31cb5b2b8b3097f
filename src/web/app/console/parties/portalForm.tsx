import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { Checkbox, Field, Form, Select, useToast } from '../../ui/index.js';
import { useWrite } from '../../lib/useActions.js';
import type { PartyInput, Portal, Side } from './types.js';
import { dataUrlOf, FLAGS, LOGO_MAX, readSettings } from './readSettings.js';

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
  return (
    <fieldset disabled={isDisabled}>
      <legend>Permissions</legend>
      <FieldsShown portal={portal} />
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

/** Which fields of a lead partners see: those of the settings above, all, or those with a mark. */
function FieldsShown({ portal }: Pick<PartProps, 'portal'>): ReactNode {
  const isOwn = portal.own.includes('fields');
  const [mode, setMode] = useState(isOwn ? (portal.fields === null ? 'all' : 'some') : '');
  const known = [...new Set([...portal.field_names, ...(portal.fields ?? [])])];
  return (
    <>
      <Select
        label="Fields shown"
        name="fields"
        value={mode}
        onChange={({ target }) => setMode(target.value)}
        options={[
          {
            value: '',
            label: inherited(portal, 'fields', portal.fields?.join(', ') ?? 'all fields'),
          },
          { value: 'all', label: 'All fields' },
          { value: 'some', label: 'Only those marked' },
        ]}
      />
      {mode === 'some' && (
        <div className="field-boxes" role="group" aria-label="Fields shown">
          {known.map((name) => (
            <label key={name} className="check-inline">
              <input
                type="checkbox"
                name="field"
                value={name}
                defaultChecked={portal.fields?.includes(name) ?? true}
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </div>
      )}
    </>
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
      <ColorField
        label="Button color"
        of="buttons"
        name="primary_color"
        placeholder="#1f4fd8"
        saved={own('primary_color', portal.primary_color)}
      />
      <ColorField
        label="Highlight color"
        of="highlights"
        name="accent_color"
        placeholder="#0e7a5f"
        saved={own('accent_color', portal.accent_color)}
      />
      <LogoField key={`logo ${savedTimes}`} hasLogo={portal.has_logo} />
      {portal.own.includes('logo') && (
        <Checkbox key={`remove ${savedTimes}`} label="Remove the logo" name="remove_logo" />
      )}
    </fieldset>
  );
}

interface ColorFieldProps {
  label: string;
  /** What has the color, for the picker's own name. */
  of: string;
  name: string;
  placeholder: string;
  saved: string;
}

const HEX = /^#[0-9a-f]{6}$/i;

/** Picked, or typed; empty: that of the settings above. */
function ColorField({ label, of, name, placeholder, saved }: ColorFieldProps): ReactNode {
  const [color, setColor] = useState(saved);
  return (
    <div className="color-row">
      <Field
        label={label}
        name={name}
        placeholder={placeholder}
        value={color}
        onChange={({ target }) => setColor(target.value)}
        hint={`Hex, such as ${placeholder}; must be readable on white.`}
      />
      <input
        type="color"
        aria-label={`Pick the color of ${of}`}
        value={HEX.test(color) ? color : placeholder}
        onChange={({ target }) => setColor(target.value)}
      />
    </div>
  );
}

/** The chosen picture is shown before it is saved. */
function LogoField({ hasLogo }: { hasLogo: boolean }): ReactNode {
  const [picture, setPicture] = useState<string | null>(null);
  const show = async (file: File | undefined): Promise<void> => {
    const isShown = file !== undefined && file.type.startsWith('image/') && file.size <= LOGO_MAX;
    setPicture(isShown ? await dataUrlOf(file) : null);
  };
  return (
    <>
      <Field
        label="Logo"
        name="logo"
        type="file"
        accept="image/png,image/jpeg"
        onChange={({ target }) => void show(target.files?.[0])}
        hint={`PNG or JPEG, at most 200 kB and 2,000 pixels. ${hasLogo ? 'A logo is set.' : 'No logo is set.'}`}
      />
      {picture !== null && <img className="logo-preview" src={picture} alt="The chosen logo" />}
    </>
  );
}

/** The source of a setting that is not set here. */
const above = ({ party, side }: Portal): string => (party ? `use ${side} default` : 'use default');

/** For a setting that is set here, the value that would apply without it is unknown. */
const inherited = (portal: Portal, name: string, value: string): string =>
  portal.own.includes(name)
    ? capitalized(above(portal))
    : `${capitalized(above(portal))} (${value})`;

/** The portal's name where this place sets none. */
function nameWithout(portal: Portal): string {
  const isOwn = portal.own.includes('display_name');
  if (isOwn && portal.party) return `${portal.side} default`;
  return (isOwn ? null : portal.display_name) ?? "the organization's name";
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
