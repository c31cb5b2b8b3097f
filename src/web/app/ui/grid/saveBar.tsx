import type { ReactNode } from 'react';
import type { ApiError } from '../../lib/api.js';
import { Button } from '../button.js';
import { ErrorState } from '../states.js';
import { cellsOf, type CellPlace, type Edits } from './edits.js';

interface SaveBarProps {
  edits: Edits;
  /** Cells that cannot be saved as they are. */
  faults: readonly (CellPlace & { label: string; fault: string })[];
  onFault(place: CellPlace): void;
  onSave(): void;
  onDiscard(): void;
  isSaving: boolean;
  error: ApiError | null;
  /** Beside the buttons. */
  children?: ReactNode;
}

/** Faults that are listed; the grid marks all of them. */
const FAULTS_MAX = 3;

/** What is changed and not saved, with one Save for all of it. */
export function SaveBar(props: SaveBarProps): ReactNode {
  const { edits, faults, onFault, onSave, onDiscard, isSaving, error, children } = props;
  const cells = cellsOf(edits).length;
  if (cells === 0) return null;
  return (
    <section className="save-bar" aria-label="Unsaved changes">
      {error && <ErrorState error={error} />}
      {faults.length > 0 && (
        <ul className="save-faults" role="alert">
          {faults.slice(0, FAULTS_MAX).map(({ label, fault, ...place }) => (
            <li key={`${place.row} ${place.column}`}>
              <button type="button" className="link" onClick={() => onFault(place)}>
                {label}
              </button>
              : {fault}
            </li>
          ))}
          {faults.length > FAULTS_MAX && <li>and {faults.length - FAULTS_MAX} more cells</li>}
        </ul>
      )}
      <div className="save-acts">
        <p role="status">
          <strong>{counted(cells, 'change')}</strong> in {counted(edits.size, 'row')}, not saved
        </p>
        {children}
        <Button onClick={onDiscard}>Discard</Button>
        <Button kind="primary" isBusy={isSaving} onClick={onSave}>
          {isSaving ? 'Saving…' : `Save ${counted(cells, 'change')}`}
        </Button>
      </div>
    </section>
  );
}

const counted = (count: number, what: string): string =>
  `${count} ${count === 1 ? what : `${what}s`}`;
