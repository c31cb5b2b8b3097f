import type { ReactNode } from 'react';
import { Facts, type Fact } from '../../ui/index.js';
import { useFormats } from '../../lib/format.js';
import { labelOf } from './person.js';

interface ValuesProps {
  of: Readonly<Record<string, unknown>>;
  /** Of buyers, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** The values behind a step, by name; what is within them as it is stored. */
export function Values({ of, names }: ValuesProps): ReactNode {
  return (
    <Facts
      facts={Object.entries(of).map(([name, value]): Fact => [
        labelOf(name),
        <Value of={value} names={names} />,
      ])}
    />
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function Value({ of, names }: { of: unknown; names: ReadonlyMap<string, string> }): ReactNode {
  const formats = useFormats();
  if (of === null || of === undefined) return '–';
  if (typeof of === 'boolean') return of ? 'yes' : 'no';
  if (typeof of === 'number') return <span className="number">{of.toLocaleString('en-US')}</span>;
  if (typeof of === 'string')
    return (
      <bdi className="written">{INSTANT.test(of) ? formats.time(of) : (names.get(of) ?? of)}</bdi>
    );
  if (Array.isArray(of) && of.every((one) => typeof one === 'string'))
    return (
      <bdi className="written">{of.map((one) => names.get(one) ?? one).join(', ') || '–'}</bdi>
    );
  return <code className="lead-json">{JSON.stringify(of)}</code>;
}
