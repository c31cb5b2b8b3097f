import { useState, type ReactNode } from 'react';
import { ApiError, notSent } from '../../lib/api.js';
import { useFormats } from '../../lib/format.js';
import { useWrite, type InputOf } from '../../lib/useActions.js';
import type { Term } from '../../lib/settings.js';
import { formText } from '../../lib/formValues.js';
import { Button, Dialog, ErrorState, Field, Form, Table, useToast } from '../../ui/index.js';
import { useCampaign, type Campaign } from './frame.js';
import { SettingField, typedValue } from './settingField.js';
import { settingText } from './settingValue.js';
import { TERMS, valueOf } from './terms.js';

interface SettingsDialogProps {
  campaign: Campaign;
  isOpen: boolean;
  onClose(): void;
}

type Changes = Map<string, unknown>;

/** Sends what differs from what was shown. Where another person was faster, it shows both, and asks. */
export function SettingsDialog({ campaign, isOpen, onClose }: SettingsDialogProps): ReactNode {
  const write = useWrite('update_campaign');
  const toast = useToast();
  // What was shown when the form was opened, even when it is read again meanwhile.
  const [seen, setSeen] = useState<Campaign | null>(null);
  const [changes, setChanges] = useState<Changes | null>(null);
  if (isOpen && !seen) setSeen(campaign);
  const close = (): void => {
    write.reset();
    setSeen(null);
    setChanges(null);
    onClose();
  };
  const send = async (wanted: Changes, version: number): Promise<void> => {
    const before = seen ?? campaign;
    const input = { ...Object.fromEntries(wanted), campaign_id: campaign.id };
    const done = await write.run({
      ...(input as InputOf<'update_campaign'>),
      expected_version: version,
    });
    if (!done) return;
    toast(`The settings of ${done.name} are saved.`, {
      undo: () => write.run(undoing(before, wanted)),
    });
    close();
  };
  const isOvertaken = write.error instanceof ApiError && write.error.code === 'version_conflict';
  const shown = seen ?? campaign;
  return (
    <Dialog title={`Settings of ${shown.name}`} isOpen={isOpen} onClose={close}>
      {isOvertaken && changes && (
        <Overtaken seen={shown} changes={changes} keep={send} leave={close} />
      )}
      <div hidden={isOvertaken}>
        <Form
          write={isOvertaken ? { isRunning: false, error: null } : write}
          submit="Save settings"
          onSubmit={(values) => {
            const wanted = changesOf(values, shown);
            setChanges(wanted);
            return send(wanted, shown.version);
          }}
        >
          <Field label="Name" name="name" required maxLength={120} defaultValue={shown.name} />
          {TERMS.map((term) => (
            <SettingField key={term.name} term={term} value={valueOf(shown, term)} />
          ))}
        </Form>
      </div>
    </Dialog>
  );
}

/** @throws {ApiError} for no difference at all */
function changesOf(values: FormData, seen: Campaign): Changes {
  const typed: [string, unknown, unknown][] = [
    ['name', formText(values, 'name'), seen.name],
    ...TERMS.map((term): [string, unknown, unknown] => [
      term.name,
      typedValue(values, term),
      valueOf(seen, term),
    ]),
  ];
  const changed = typed.filter(([, now, before]) => !isSame(now, before));
  if (changed.length === 0) throw notSent('', 'No setting was changed.');
  return new Map(changed.map(([name, now]) => [name, now]));
}

/** The parts of a value may come in any order. */
const isSame = (a: unknown, b: unknown): boolean => sortedJson(a) === sortedJson(b);

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

/** Back to what was there, for these settings alone. */
function undoing(before: Campaign, changes: Changes): InputOf<'update_campaign'> {
  const was = new Map<string, unknown>(Object.entries(before));
  const back = Object.fromEntries([...changes.keys()].map((name) => [name, was.get(name) ?? null]));
  return { ...back, campaign_id: before.id };
}

interface OvertakenProps {
  /** As the form showed it. */
  seen: Campaign;
  changes: Changes;
  keep(changes: Changes, version: number): unknown;
  leave(): void;
}

/** What another person changed meanwhile, beside what was typed here. */
function Overtaken({ seen, changes, keep, leave }: OvertakenProps): ReactNode {
  const now = useCampaign(seen.id);
  const formats = useFormats();
  if (!now.data) return now.error ? <ErrorState error={now.error} /> : null;
  const current = now.data;
  const rows = [NAME, ...TERMS].filter(
    (term) => changes.has(term.name) || !isSame(valueOf(current, term), valueOf(seen, term)),
  );
  const text = (term: Term, value: unknown): string => settingText(term, value, formats);
  return (
    <>
      <p>
        Another person changed this campaign meanwhile: it is at version {current.version}, and you
        saw version {seen.version}. Nothing of yours is saved yet.
      </p>
      <Table
        caption="Yours and theirs"
        rows={rows}
        rowKey={({ name }) => name}
        empty={null}
        columns={[
          { header: 'Setting', cell: ({ label }) => label },
          { header: 'You saw', cell: (term) => text(term, valueOf(seen, term)) },
          { header: 'Now', cell: (term) => text(term, valueOf(current, term)) },
          {
            header: 'Yours',
            cell: (term) =>
              changes.has(term.name) ? <b>{text(term, changes.get(term.name))}</b> : 'as now',
          },
        ]}
      />
      <div className="actions">
        <Button kind="primary" onClick={() => void keep(changes, current.version)}>
          Save mine over it
        </Button>
        <Button onClick={leave}>Leave it as it is now</Button>
      </div>
    </>
  );
}

const NAME: Term = {
  name: 'name',
  label: 'Name',
  about: '',
  kind: 'text',
  isOptional: false,
  isAsked: false,
  default: '',
};
