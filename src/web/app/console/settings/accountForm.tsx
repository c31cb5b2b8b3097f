/** The name and the time zone. Another zone moves caps, schedules and reports: what it changes is said before. */
import { useState, type ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useWrite, type OutputOf } from '../../lib/useActions.js';
import { Confirm, Field, Form, Select, useToast } from '../../ui/index.js';
import './settings.css';

interface Wanted {
  name: string;
  time_zone: string;
}

interface Move {
  wanted: Wanted;
  effects: OutputOf<'update_account'>['effects'];
}

export function AccountForm({ account }: { account: OutputOf<'get_account'> }): ReactNode {
  const [asked, update] = [useWrite('update_account'), useWrite('update_account')];
  const [move, setMove] = useState<Move | null>(null);
  const toast = useToast();
  const save = async (wanted: Wanted): Promise<void> => {
    const done = await update.run({ ...wanted, dry_run: false });
    if (!done) return;
    setMove(null);
    toast(done.changes.length === 0 ? 'Nothing was changed.' : 'The account is saved.');
  };
  const send = async (values: FormData): Promise<void> => {
    const wanted = { name: formText(values, 'name'), time_zone: formText(values, 'time_zone') };
    if (wanted.time_zone === account.time_zone) return save(wanted);
    const effects = (await asked.run({ ...wanted, dry_run: true }))?.effects;
    if (effects) setMove({ wanted, effects });
  };
  const isRunning = asked.isRunning || update.isRunning;
  const error = asked.error ?? (move ? null : update.error);
  return (
    <>
      <Form write={{ isRunning, error }} submit="Save" onSubmit={send}>
        <Field label="Name" name="name" required maxLength={120} defaultValue={account.name} />
        <Select
          label="Time zone"
          name="time_zone"
          hint="Caps, schedules and the days of reports follow it."
          defaultValue={account.time_zone}
          options={zonesWith(account.time_zone).map((zone) => ({
            value: zone,
            label: zone.replaceAll('_', ' '),
          }))}
        />
        <p className="muted">
          All amounts are in {account.currency}. The currency never changes: every stored amount is
          in it.
        </p>
      </Form>
      <Confirm
        title={`Move to ${move?.wanted.time_zone.replaceAll('_', ' ') ?? ''}?`}
        act="Move the time zone"
        isOpen={move !== null}
        onClose={() => setMove(null)}
        write={update}
        onConfirm={() => move && save(move.wanted)}
      >
        <dl className="zone-effects">
          {move?.effects.map(({ what, text }) => (
            <div key={what}>
              <dt>{EFFECTS[what]}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Confirm>
    </>
  );
}

const EFFECTS = { caps: 'Caps', schedules: 'Schedules', reports: 'Reports' } as const;

/** Those that the browser knows, and the one that is set. */
const zonesWith = (zone: string): string[] =>
  [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].toSorted();
